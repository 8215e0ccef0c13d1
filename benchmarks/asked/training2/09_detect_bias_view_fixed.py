import math

import torch
from torch import nn


class Detect(nn.Module):
    def __init__(self, nc=80, anchors=3, ch=(16, 32)):
        super().__init__()
        self.nc, self.na, self.no = nc, anchors, nc + 5
        self.stride = torch.tensor([8.0, 16.0])
        self.m = nn.ModuleList(nn.Conv2d(c, self.no * self.na, 1) for c in ch)

    def forward(self, xs):
        return [conv(x) for conv, x in zip(self.m, xs)]


class Model(nn.Module):
    def __init__(self, nc=80):
        super().__init__()
        self.model = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.Conv2d(16, 32, 3, 2, 1), Detect(nc))
        self._initialize_biases()

    def _initialize_biases(self, cf=None):
        m = self.model[-1]
        for mi, s in zip(m.m, m.stride):
            b = mi.bias.view(m.na, -1)
            with torch.no_grad():
                b[:, 4] += math.log(8 / (640 / s) ** 2)
                b[:, 5:] += math.log(0.6 / (m.nc - 0.99)) if cf is None else torch.log(cf / cf.sum())
            mi.bias = nn.Parameter(b.view(-1), requires_grad=True)


if __name__ == "__main__":
    model = Model(nc=20)
    print(sum(p.numel() for p in model.parameters()))
