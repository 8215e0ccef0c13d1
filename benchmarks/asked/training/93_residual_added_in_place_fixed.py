import torch
import torch.nn as nn
import torch.nn.functional as F


class SEBlock(nn.Module):
    def __init__(self, channels, reduction=4):
        super().__init__()
        self.fc1 = nn.Conv2d(channels, channels // reduction, 1)
        self.fc2 = nn.Conv2d(channels // reduction, channels, 1)

    def forward(self, x):
        w = F.adaptive_avg_pool2d(x, 1)
        w = F.relu(self.fc1(w))
        w = torch.sigmoid(self.fc2(w))
        w = w * 2
        return x * w


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.se = SEBlock(8)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = self.se(self.conv(x))
        return self.head(x.mean((2, 3)))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = F.cross_entropy(net(torch.randn(4, 3, 8, 8)), torch.randint(0, 4, (4,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
