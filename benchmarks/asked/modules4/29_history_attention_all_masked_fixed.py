import numpy as np
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.d_k = d_model // n_heads
        self.q_linear = nn.Linear(d_model, d_model)
        self.k_linear = nn.Linear(d_model, d_model)
        self.v_linear = nn.Linear(d_model, d_model)

    def head_split(self, x):
        return x.view(*x.size()[:-1], self.h, self.d_k).transpose(-2, -3)

    def forward(self, q, k, v, mask=None):
        q, k, v = self.head_split(self.q_linear(q)), self.head_split(self.k_linear(k)), self.head_split(self.v_linear(v))
        scores = torch.matmul(q, k.transpose(-2, -1)) / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -np.inf)
        scores = scores.softmax(dim=-1)
        scores = scores.masked_fill(torch.isnan(scores), 0)
        output = torch.matmul(scores, v)
        return output.transpose(-2, -3).flatten(-2)


class SASRec(nn.Module):
    def __init__(self, n_items=100, dim=32):
        super().__init__()
        self.i_embeddings = nn.Embedding(n_items, dim, padding_idx=0)
        self.attention = MultiHeadAttention(dim, 2)

    def forward(self, history, items):
        seq = self.i_embeddings(history)
        valid = (history > 0).long()
        attended = self.attention(seq, seq, seq, valid.view(valid.size(0), 1, 1, -1))
        user = (attended * valid.unsqueeze(-1)).sum(1)
        return (user.unsqueeze(1) * self.i_embeddings(items)).sum(-1)


if __name__ == "__main__":
    history = torch.randint(1, 100, (4, 10))
    history[0] = 0
    print(SASRec()(history, torch.randint(1, 100, (4, 5))))
