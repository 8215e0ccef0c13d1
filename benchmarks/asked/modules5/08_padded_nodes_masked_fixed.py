import numpy as np
import torch as th
from torch import nn


def pad(feat, lengths):
    return nn.utils.rnn.pad_sequence(list(th.split(feat, lengths)), batch_first=True)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model=16, num_heads=2, d_head=8):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_head
        self.proj_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.proj_k = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.proj_v = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.proj_o = nn.Linear(num_heads * d_head, d_model)

    def forward(self, x, mem, lengths_x, lengths_mem):
        batch_size, max_len_x, max_len_mem = len(lengths_x), max(lengths_x), max(lengths_mem)
        queries = pad(self.proj_q(x), lengths_x).view(batch_size, max_len_x, self.num_heads, self.d_head)
        keys = pad(self.proj_k(mem), lengths_mem).view(batch_size, max_len_mem, self.num_heads, self.d_head)
        values = pad(self.proj_v(mem), lengths_mem).view(batch_size, max_len_mem, self.num_heads, self.d_head)
        e = th.einsum("bxhd,byhd->bhxy", queries, keys)
        e = e / np.sqrt(self.d_head)
        mask = th.zeros(batch_size, max_len_x, max_len_mem).to(e.device)
        for i in range(batch_size):
            mask[i, : lengths_x[i], : lengths_mem[i]].fill_(1)
        mask = mask.unsqueeze(1)
        e.masked_fill_(mask == 0, -1e9)
        alpha = th.softmax(e, dim=-1) * mask
        out = th.einsum("bhxy,byhd->bxhd", alpha, values)
        out = self.proj_o(out.flatten(2))
        return th.cat([row[:length] for row, length in zip(out, lengths_x)])


class SetAttentionBlock(nn.Module):
    def __init__(self, d_model=16):
        super().__init__()
        self.mha = MultiHeadAttention(d_model)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, feat, lengths):
        return self.norm(feat + self.mha(feat, feat, lengths, lengths))


if __name__ == "__main__":
    block = SetAttentionBlock()
    block(th.randn(9, 16), [4, 2, 3]).sum().backward()
    print([name for name, parameter in block.named_parameters() if parameter.grad.isnan().any()])
