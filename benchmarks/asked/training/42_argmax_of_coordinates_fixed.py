import torch
import torch.nn as nn
import torch.nn.functional as F


class CoorNet(nn.Module):
    def __init__(self, bins=16):
        super().__init__()
        self.trunk = nn.Conv2d(3, 16, 3, padding=1)
        self.coor_x = nn.Conv2d(16, bins + 1, 1)
        self.coor_y = nn.Conv2d(16, bins + 1, 1)
        self.coor_z = nn.Conv2d(16, bins + 1, 1)

    def forward(self, x):
        x = F.relu(self.trunk(x))
        return self.coor_x(x), self.coor_y(x), self.coor_z(x)


def train(net, loader, bins=16):
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-4)
    criterion = nn.L1Loss()
    net.train()
    for inp, target in loader:
        x, y, z = net(inp)
        centres = torch.arange(bins + 1.0).view(1, -1, 1, 1)
        coor = torch.stack([(torch.softmax(each, dim=1) * centres).sum(dim=1) for each in (x, y, z)], dim=1)
        coor = 2.0 * coor / (bins - 1.0) - 1.0
        loss = criterion(coor, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    train(CoorNet(), [(torch.randn(2, 3, 8, 8), torch.rand(2, 3, 8, 8)) for _ in range(2)])
