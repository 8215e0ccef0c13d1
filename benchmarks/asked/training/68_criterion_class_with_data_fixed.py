import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class SimpleNet(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.l1 = nn.Linear(9, h)
        self.l2 = nn.Linear(h, 4)

    def forward(self, x):
        return self.l2(torch.relu(self.l1(x)))


def run(net, criterion, loader, epochs):
    optim = torch.optim.Adam(net.parameters(), lr=1e-3)
    for e in range(epochs):
        for x, y in loader:
            optim.zero_grad()
            output = net(x)
            loss = criterion(output, y)
            loss.backward()
            optim.step()


run(SimpleNet(10), nn.CrossEntropyLoss(), DataLoader(TensorDataset(torch.randn(16, 9), torch.randint(0, 4, (16,))), 4), 2)
