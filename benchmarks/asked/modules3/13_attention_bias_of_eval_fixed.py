import itertools

import torch
import torch.nn as nn


class BiasedAttention(nn.Module):
    def __init__(self, dim, heads=4, resolution=(4, 4)):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)
        points = list(itertools.product(range(resolution[0]), range(resolution[1])))
        offsets, idxs = {}, []
        for p1 in points:
            for p2 in points:
                offset = (abs(p1[0] - p2[0]), abs(p1[1] - p2[1]))
                if offset not in offsets:
                    offsets[offset] = len(offsets)
                idxs.append(offsets[offset])
        self.biases = nn.Parameter(torch.zeros(heads, len(offsets)))
        self.register_buffer("bias_idxs", torch.LongTensor(idxs).view(len(points), len(points)), persistent=False)

    @torch.no_grad()
    def train(self, mode=True):
        super().train(mode)
        if mode and hasattr(self, "ab"):
            del self.ab
        else:
            self.register_buffer("ab", self.biases[:, self.bias_idxs], persistent=False)
        return self

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        attn = (q @ k.transpose(-2, -1)) * self.scale + (self.biases[:, self.bias_idxs] if self.training else self.ab)
        attn = attn.softmax(dim=-1)
        return self.proj((attn @ v).transpose(1, 2).reshape(b, n, c))


if __name__ == "__main__":
    device = "cuda" if torch.cuda.is_available() else "cpu"
    layer = BiasedAttention(32).eval().to(device)
    print(layer(torch.randn(2, 16, 32, device=device)).shape)
