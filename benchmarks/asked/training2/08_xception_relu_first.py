import torch
from torch import nn


class SepConv(nn.Module):
    def __init__(self, c_in, c_out, activate):
        super().__init__()
        self.activate = activate
        if activate:
            self.activ = nn.ReLU(inplace=True)
        self.depthwise = nn.Conv2d(c_in, c_in, 3, padding=1, groups=c_in, bias=False)
        self.pointwise = nn.Conv2d(c_in, c_out, 1, bias=False)
        self.bn = nn.BatchNorm2d(c_out)

    def forward(self, x):
        if self.activate:
            x = self.activ(x)  # asked: TL101
        return self.bn(self.pointwise(self.depthwise(x)))


class Unit(nn.Module):
    def __init__(self, c_in, c_out, stride, reps):
        super().__init__()
        self.identity_conv = nn.Sequential(nn.Conv2d(c_in, c_out, 1, stride=stride, bias=False), nn.BatchNorm2d(c_out))
        self.body = nn.Sequential()
        for i in range(reps):
            self.body.add_module("block{}".format(i + 1), SepConv(c_in if i == 0 else c_out, c_out, activate=True))
        self.body.add_module("pool", nn.MaxPool2d(3, stride, 1))

    def forward(self, x):
        identity = self.identity_conv(x)
        x = self.body(x)
        return x + identity


class Net(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.init_block = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16))
        self.unit1 = Unit(16, 32, 2, 2)
        self.unit2 = Unit(32, 64, 2, 2)
        self.fc = nn.Linear(64, classes)

    def forward(self, x):
        x = self.unit2(self.unit1(self.init_block(x)))
        return self.fc(x.mean((2, 3)))


if __name__ == "__main__":
    net = Net()
    loss = nn.functional.cross_entropy(net(torch.randn(4, 3, 32, 32)), torch.tensor([0, 1, 2, 3]))
    loss.backward()
