import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, num_heads=8, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.fc_q = nn.Linear(dim, dim, bias=qkv_bias)
        self.fc_kv = nn.Linear(dim, dim * 2, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim)

    def forward(self, q, x):
        B, N, C = x.shape
        n_class = q.shape[1]
        q = self.fc_q(q).reshape(B, n_class, self.num_heads, C // self.num_heads).permute(0, 2, 1, 3)
        kv = self.fc_kv(x).reshape(B, N, 2, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        k, v = kv[0], kv[1]

        attn1 = (q @ k.transpose(-2, -1)) * self.scale
        attn2 = attn1.softmax(-1)

        x = (attn2 @ v).transpose(1, 2).reshape(B, n_class, C)
        x = self.proj(x)
        return attn1.permute(0, 2, 1, 3), x


class Decoder(nn.Module):
    def __init__(self, num_classes, dim=64):
        super().__init__()
        self.cls_embed = nn.Parameter(torch.randn(1, num_classes - 1, dim))
        self.attn = Attention(dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, feature):
        B = feature.size(0)
        query = self.cls_embed.expand(B, -1, -1)
        attns, out = self.attn(query, feature)
        return attns, self.norm(out + query)


if __name__ == "__main__":
    attns, out = Decoder(12)(torch.randn(2, 49, 64))
    print(attns.shape, out.shape)
