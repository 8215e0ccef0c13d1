import torch
from torch import nn


class MaskHead(nn.Module):
    def __init__(self, in_channels=16, channels=8, num_levels=4):
        super().__init__()
        self.num_levels = num_levels
        self.convs_all_levels = nn.ModuleList()
        for i in range(self.num_levels):
            tower = nn.Sequential()
            tower.add_module("conv" + str(i), nn.Sequential(
                nn.Conv2d(in_channels, channels, 3, padding=1, bias=False),
                nn.GroupNorm(4, channels),
                nn.ReLU(inplace=False)))
            self.convs_all_levels.append(tower)
        self.conv_pred = nn.Sequential(nn.Conv2d(channels, channels, 1), nn.ReLU(inplace=True))

    def forward(self, features):
        assert len(features) == self.num_levels
        merged = self.convs_all_levels[0](features[0])
        for i in range(1, self.num_levels):
            feat = features[i]
            merged = merged + self.convs_all_levels[i](feat)
        return self.conv_pred(merged)


if __name__ == "__main__":
    head = MaskHead()
    out = head([torch.randn(1, 16, 8, 8) for _ in range(4)])
    out.sum().backward()
