import torch
import torch.nn as nn


class ScoringFunction(nn.Module):
    def __init__(self):
        super(ScoringFunction, self).__init__()
        self.reduce_channel = nn.Sequential(nn.Conv2d(64, 1, kernel_size=1), nn.Sigmoid())

    def forward(self, x):
        return self.reduce_channel(x)


class FineGrainedStructureMapping(nn.Module):
    def __init__(self, n_maps=7):
        super(FineGrainedStructureMapping, self).__init__()
        self.score = ScoringFunction()
        self.fc = nn.Sequential(nn.Linear(64, n_maps * 64), nn.Sigmoid())
        self.n_maps = n_maps

    def forward(self, u1, u2):
        uh, uw = u1.size(2), u1.size(3)
        a1 = self.score(u1).view(-1, uh * uw, 1)
        a2 = self.score(u2).view(-1, uh * uw, 1)
        u1 = u1.flatten(2).transpose(1, 2)
        u2 = u2.flatten(2).transpose(1, 2)
        maps = self.fc(a1.flatten(1)).view(-1, self.n_maps, 64)
        return maps.bmm(a1 * u1), maps.bmm(a2 * u2)


class FSANet(nn.Module):
    def __init__(self):
        super(FSANet, self).__init__()
        self.stream1 = nn.Sequential(nn.Conv2d(3, 64, 3, padding=1), nn.ReLU(), nn.AvgPool2d(8))
        self.stream2 = nn.Sequential(nn.Conv2d(3, 64, 3, padding=1), nn.Tanh(), nn.MaxPool2d(8))
        self.mapping = FineGrainedStructureMapping()
        self.pose = nn.Linear(2 * 7 * 64, 3)

    def forward(self, x):
        v1, v2 = self.mapping(self.stream1(x), self.stream2(x))
        return self.pose(torch.cat((v1, v2), 1).flatten(1))


if __name__ == "__main__":
    print(FSANet()(torch.randn(2, 3, 64, 64)).shape)
