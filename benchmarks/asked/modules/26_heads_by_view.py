from math import sqrt

import torch
import torch.nn as nn


class ProbAttention(nn.Module):
    def __init__(self, scale=None, attention_dropout=0.1):
        super(ProbAttention, self).__init__()
        self.scale = scale
        self.dropout = nn.Dropout(attention_dropout)

    def forward(self, queries, keys, values):
        B, L, H, D = queries.shape
        _, S, _, _ = keys.shape

        queries = queries.view(B, H, L, -1)  # asked: TL703
        keys = keys.view(B, H, S, -1)  # asked: TL703
        values = values.view(B, H, S, -1)  # asked: TL703

        scale = self.scale or 1.0 / sqrt(D)
        scores = torch.matmul(queries, keys.transpose(-2, -1)) * scale
        return torch.matmul(self.dropout(torch.softmax(scores, dim=-1)), values)


class AttentionLayer(nn.Module):
    def __init__(self, attention, d_model, n_heads):
        super(AttentionLayer, self).__init__()
        self.inner = attention
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)
        self.n_heads = n_heads

    def forward(self, queries, keys, values):
        B, L, _ = queries.shape
        _, S, _ = keys.shape
        H = self.n_heads
        q = self.query(queries).view(B, L, H, -1)
        k = self.key(keys).view(B, S, H, -1)
        v = self.value(values).view(B, S, H, -1)
        out = self.inner(q, k, v).transpose(1, 2).reshape(B, L, -1)
        return self.out(out)


layer = AttentionLayer(ProbAttention(), 32, 4)
x = torch.randn(2, 6, 32)
print(layer(x, x, x).shape)
