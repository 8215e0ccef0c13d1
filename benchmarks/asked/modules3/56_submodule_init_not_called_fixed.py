import math

import torch
import torch.nn as nn


class SubModule(nn.Module):
    def __init__(self):
        super(SubModule, self).__init__()

    def weight_init(self):
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                n = m.kernel_size[0] * m.kernel_size[1] * m.out_channels
                m.weight.data.normal_(0, math.sqrt(2.0 / n))
            elif isinstance(m, nn.BatchNorm2d):
                m.weight.data.fill_(1)
                m.bias.data.zero_()


class FeatureExtraction(SubModule):
    def __init__(self, channels):
        super(FeatureExtraction, self).__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU())

    def forward(self, x):
        return self.conv(x)


class PrunerNet(SubModule):
    def __init__(self):
        super(PrunerNet, self).__init__()
        self.features = FeatureExtraction(16)
        self.dres = nn.Sequential(nn.Conv2d(32, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 1, 3, padding=1))
        self.weight_init()

    def forward(self, left, right):
        return self.dres(torch.cat([self.features(left), self.features(right)], dim=1))


model = PrunerNet()
print(model(torch.rand(1, 3, 32, 32), torch.rand(1, 3, 32, 32)).shape)
