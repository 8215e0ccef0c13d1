import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim=256, num_heads=8):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.query = nn.Linear(embed_dim, embed_dim)
        self.key = nn.Linear(embed_dim, embed_dim)
        self.value = nn.Linear(embed_dim, embed_dim)

    def split(self, x):
        batch, length, _ = x.shape
        return x.view(batch, length, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def forward(self, x):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        weights = F.softmax(q @ k.transpose(-2, -1) / self.head_dim**0.5, dim=-1)
        out = weights @ v
        out = out.permute(0, 2, 1, 3)
        return out.reshape(out.size(0), out.size(1), -1)


class Block(nn.Module):
    def __init__(self, embed_dim=256):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim)
        self.norm = nn.LayerNorm(embed_dim)

    def forward(self, x):
        return self.norm(x + self.attention(x))


if __name__ == "__main__":
    print(Block()(torch.randn(2, 7, 256)).shape)
