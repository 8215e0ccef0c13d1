import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 5, padding=2)
        self.fc = nn.Linear(8 * 20, 2)

    def forward(self, t):
        t = F.relu(self.conv(t))
        t = torch.log(t)  # asked: TL307
        t = t.view(t.size(0), -1)
        return self.fc(t)


net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for i in range(3):
    inputs, labels = torch.randn(4, 1, 20), torch.randint(0, 2, (4,))
    optimizer.zero_grad()
    loss = criterion(net(inputs), labels)
    loss.backward()
    optimizer.step()
    print(loss.item())
