import torch
from torch import nn

NEG_INF = -1e20


class PolyBasicAttention(nn.Module):
    def __init__(self, dim=-1, attn="cosine", residual=False):
        super().__init__()
        self.dim = dim
        self.attn = attn
        self.residual = residual

    def forward(self, xs, ys, mask_ys=None, values=None):
        l1 = torch.matmul(xs, ys.transpose(-1, -2))
        if mask_ys is not None:
            attn_mask = (mask_ys == 0).view(ys.size(0), 1, ys.size(1))
            attn_mask = attn_mask.repeat(1, xs.size(1), 1)
            l1.masked_fill(attn_mask, NEG_INF)  # asked: TL510
        l2 = torch.softmax(l1, dim=self.dim)
        if values is None:
            values = ys
        lhs_emb = torch.matmul(l2, values)
        return lhs_emb + xs if self.residual else lhs_emb


class PolyEncoder(nn.Module):
    def __init__(self, vocab=100, dim=16, n_codes=4):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim, padding_idx=0)
        self.codes = nn.Parameter(torch.empty(n_codes, dim))
        nn.init.uniform_(self.codes)
        self.code_attention = PolyBasicAttention()

    def forward(self, tokens):
        context = self.embedding(tokens)
        codes = self.codes.repeat(tokens.size(0), 1, 1)
        return self.code_attention(codes, context, mask_ys=tokens != 0, values=context)


if __name__ == "__main__":
    print(PolyEncoder()(torch.randint(0, 100, (2, 9))).shape)
