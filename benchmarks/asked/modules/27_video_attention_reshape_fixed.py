import torch
from torch import nn


class AttnBlock3D(nn.Module):
    def __init__(self, in_channels):
        super().__init__()
        self.norm = nn.GroupNorm(4, in_channels)
        self.q = nn.Conv3d(in_channels, in_channels, kernel_size=1)
        self.k = nn.Conv3d(in_channels, in_channels, kernel_size=1)
        self.v = nn.Conv3d(in_channels, in_channels, kernel_size=1)
        self.proj_out = nn.Conv3d(in_channels, in_channels, kernel_size=1)

    def forward(self, x):
        h_ = self.norm(x)
        q = self.q(h_)
        k = self.k(h_)
        v = self.v(h_)

        b, c, t, h, w = q.shape
        q = q.permute(0, 2, 1, 3, 4).reshape(b * t, c, h * w)
        q = q.permute(0, 2, 1)
        k = k.permute(0, 2, 1, 3, 4).reshape(b * t, c, h * w)
        w_ = torch.bmm(q, k) * (int(c) ** (-0.5))
        w_ = nn.functional.softmax(w_, dim=2)

        v = v.permute(0, 2, 1, 3, 4).reshape(b * t, c, h * w)
        h_ = torch.bmm(v, w_.permute(0, 2, 1))
        h_ = h_.reshape(b, t, c, h, w).permute(0, 2, 1, 3, 4)
        return x + self.proj_out(h_)


print(AttnBlock3D(8)(torch.randn(2, 8, 3, 4, 4)).shape)
