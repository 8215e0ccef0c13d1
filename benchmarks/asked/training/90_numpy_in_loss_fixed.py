import torch
import torch.nn as nn


class RMSLELoss(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, pred, actual):
        return torch.sqrt(torch.mean((torch.log(pred + 1) - torch.log(actual + 1)) ** 2) + 1e-8)


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.Softplus())
criterion = RMSLELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
x, y = torch.rand(32, 4), torch.rand(32, 1) * 10
for epoch in range(5):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
