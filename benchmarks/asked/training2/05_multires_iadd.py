import torch
from torch import nn


class ConvBlock(nn.Module):
    def __init__(self, c_in, c_out, k):
        super().__init__()
        self.conv = nn.Conv2d(c_in, c_out, k, padding=k // 2, bias=False)
        self.bn = nn.BatchNorm2d(c_out)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class MultiResBlock(nn.Module):
    def __init__(self, c_in, width, alpha=1.67):
        super().__init__()
        w = int(alpha * width)
        a, b, c = w // 6, w // 3, w // 2
        self.shortcut = ConvBlock(c_in, a + b + c, 1)
        self.first, self.second, self.third = ConvBlock(c_in, a, 3), ConvBlock(a, b, 3), ConvBlock(b, c, 3)
        self.bn = nn.BatchNorm2d(a + b + c)
        self.relu = nn.ReLU()

    def forward(self, x):
        shortcut = self.shortcut(x)
        a = self.first(x)
        b = self.second(a)
        c = self.third(b)
        out = self.relu(torch.cat([a, b, c], dim=1))
        out += shortcut  # asked: TL101
        return self.bn(out)


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = MultiResBlock(3, 32)
        self.out = nn.Conv2d(51, 1, 1)

    def forward(self, x):
        return self.out(self.block(x))


if __name__ == "__main__":
    model = Head()
    loss_fn = nn.BCEWithLogitsLoss()
    opt = torch.optim.Adam(model.parameters())
    for _ in range(2):
        opt.zero_grad()
        loss = loss_fn(model(torch.randn(2, 3, 16, 16)), torch.rand(2, 1, 16, 16).round())
        loss.backward()
        opt.step()
