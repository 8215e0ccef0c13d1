import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class Conv2dQ(nn.Conv2d):
    def __init__(self, *args, nbits=4, **kwargs):
        super().__init__(*args, **kwargs)
        self.nbits = nbits

    def forward(self, x):
        n = 2 ** (self.nbits - 1) - 1
        w = self.weight + (torch.round(self.weight * n) / n - self.weight).detach()
        return F.conv2d(x, w, self.bias, self.stride, self.padding)


def replace_conv_recursively(module, nbits):
    for name, child in module.named_children():
        if type(child) is nn.Conv2d:
            new = Conv2dQ(child.in_channels, child.out_channels, child.kernel_size, child.stride, child.padding, nbits=nbits)
            setattr(module, name, new)
        else:
            replace_conv_recursively(child, nbits)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU())
        self.layer2 = nn.Sequential(nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU())
        self.fc = nn.Linear(32, 10)

    def forward(self, x):
        return self.fc(self.layer2(self.layer1(x)).mean((2, 3)))


def get_optimizer(model, args):
    return torch.optim.SGD(model.parameters(), args.lr, momentum=0.9)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--qw", type=int, default=4)
    args = parser.parse_args()
    model = Net()
    criterion = nn.CrossEntropyLoss()
    replace_conv_recursively(model, args.qw)
    optimizer = get_optimizer(model, args)
    for epoch in range(2):
        for _ in range(2):
            loss = criterion(model(torch.randn(4, 3, 8, 8)), torch.randint(0, 10, (4,)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
