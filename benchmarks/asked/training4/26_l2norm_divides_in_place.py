import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.init as init


class L2Norm(nn.Module):
    def __init__(self, n_channels, scale):
        super(L2Norm, self).__init__()
        self.n_channels = n_channels
        self.gamma = scale or None
        self.eps = 1e-10
        self.weight = nn.Parameter(torch.Tensor(self.n_channels))
        self.reset_parameters()

    def reset_parameters(self):
        init.constant_(self.weight, self.gamma)

    def forward(self, x):
        norm = x.pow(2).sum(dim=1, keepdim=True).sqrt() + self.eps
        x /= norm  # asked: TL101
        out = self.weight.unsqueeze(0).unsqueeze(2).unsqueeze(3).expand_as(x) * x
        return out


class SSD(nn.Module):
    def __init__(self, num_classes=4):
        super(SSD, self).__init__()
        self.base = nn.Sequential(nn.Conv2d(3, 32, 3, 2, 1), nn.ReLU(inplace=True), nn.Conv2d(32, 64, 3, 2, 1))
        self.l2norm = L2Norm(64, 20)
        self.conf = nn.Conv2d(64, 4 * num_classes, 3, padding=1)

    def forward(self, x):
        x = self.base(x)
        s = self.l2norm(x)
        return self.conf(s).permute(0, 2, 3, 1).reshape(x.size(0), -1, 4)


def train():
    net = SSD()
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9)
    for iteration in range(3):
        out = net(torch.randn(2, 3, 32, 32))
        targets = torch.randint(0, 4, out.shape[:2])
        optimizer.zero_grad()
        loss = F.cross_entropy(out.flatten(0, 1), targets.flatten())
        loss.backward()
        optimizer.step()
        print(iteration, loss.item())


if __name__ == "__main__":
    train()
