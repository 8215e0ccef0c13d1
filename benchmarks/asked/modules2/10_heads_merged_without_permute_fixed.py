import math
from typing import Optional

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, hidden_dim: int, num_heads: int):
        super().__init__()
        assert hidden_dim % num_heads == 0
        self.num_heads = num_heads
        self.qkv_dim = hidden_dim // num_heads
        self.qkv_proj = nn.Linear(hidden_dim, 3 * num_heads * self.qkv_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.qkv_dim, hidden_dim, bias=False)

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None):
        batch_size, sequence_length, hidden_dim = x.size()
        q, k, v = self._project(x, batch_size, sequence_length)
        values, attn = self.scaled_dot_product(q, k, v, mask)
        values = values.permute(0, 2, 1, 3).reshape(batch_size, sequence_length, hidden_dim)
        return self.o_proj(values)

    def _project(self, x, batch_size, sequence_length):
        qkv = self.qkv_proj(x)
        qkv = qkv.reshape(batch_size, sequence_length, self.num_heads, 3 * self.qkv_dim)
        qkv = qkv.permute(0, 2, 1, 3)
        return qkv.chunk(3, dim=-1)

    def scaled_dot_product(self, q, k, v, mask=None):
        attn_logits = torch.matmul(q, torch.transpose(k, -2, -1)) / math.sqrt(q.size()[-1])
        if mask is not None:
            attn_logits = attn_logits.masked_fill(mask == 0, float("-inf"))
        attention = torch.softmax(attn_logits, dim=-1)
        return torch.matmul(attention, v), attention


if __name__ == "__main__":
    mha = MultiHeadAttention(hidden_dim=32, num_heads=4)
    print(mha(torch.randn(2, 10, 32)).shape)
