import torch
from torch import nn


class UpConv(nn.Module):
    def __init__(self, in_channels, out_channels, kernel, padding=0, flag=True):
        super(UpConv, self).__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel, padding=padding)
        self.gn = nn.GroupNorm(8, out_channels)  # asked: TL709
        self.gelu = nn.GELU()
        self.up = nn.UpsamplingBilinear2d(scale_factor=2)
        self.flag = flag

    def forward(self, trg):
        trg = self.conv(trg)
        if self.flag:
            trg = self.up(self.gelu(self.gn(trg)))
        return trg


class Counter(nn.Module):
    def __init__(self, proj_dims=64):
        super(Counter, self).__init__()
        self.proj = nn.Sequential(nn.Conv2d(96, proj_dims, 1), nn.GroupNorm(8, proj_dims), nn.GELU())
        self.decoder = nn.ModuleList([
            UpConv(proj_dims, proj_dims, 3, 1),
            UpConv(proj_dims, proj_dims, 3, 1),
            UpConv(proj_dims, 1, 1, flag=False),
        ])

    def forward(self, x):
        x = self.proj(x)
        for layer in self.decoder:
            x = layer(x)
        return x


if __name__ == "__main__":
    print(Counter()(torch.randn(1, 96, 8, 8)).shape)
