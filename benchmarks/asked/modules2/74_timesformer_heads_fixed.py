import torch
from torch import nn


class DividedTemporalAttention(nn.Module):
    def __init__(self, embed_dims, num_heads, num_frames, drop=0.0):
        super().__init__()
        self.num_frames = num_frames
        self.norm = nn.LayerNorm(embed_dims)
        self.attn = nn.MultiheadAttention(embed_dims, num_heads, drop, batch_first=True)

    def forward(self, x):
        q = self.norm(x)
        return x + self.attn(q, q, q, need_weights=False)[0]


class TimeSformer(nn.Module):
    def __init__(self, num_frames, img_size, patch_size, embed_dims=768, num_heads=12, num_transformer_layers=2, in_channels=3):
        super().__init__()
        self.patch_embed = nn.Conv2d(in_channels, embed_dims, patch_size, patch_size)
        self.layers = nn.ModuleList([DividedTemporalAttention(embed_dims, num_heads, num_frames) for _ in range(num_transformer_layers)])
        self.norm = nn.LayerNorm(embed_dims)

    def forward(self, x):
        b, c, t, h, w = x.shape
        x = self.patch_embed(x.transpose(1, 2).reshape(b * t, c, h, w)).flatten(2).transpose(1, 2)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x).mean(1)


timesformer = TimeSformer(8, 32, 16, embed_dims=1024, num_heads=16)
print(timesformer(torch.randn(1, 3, 8, 32, 32)).shape)
