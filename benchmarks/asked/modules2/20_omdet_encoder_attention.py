import torch
import torch.nn as nn
import torch.nn.functional as F


class TransformerEncoderLayer(nn.Module):
    def __init__(self, d_model, nhead, dim_feedforward=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout)  # asked: TL708
        self.linear1 = nn.Linear(d_model, dim_feedforward)
        self.linear2 = nn.Linear(dim_feedforward, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)

    @staticmethod
    def with_pos_embed(tensor, pos_embed):
        return tensor if pos_embed is None else tensor + pos_embed

    def forward(self, src, src_mask=None, pos_embed=None):
        residual = src
        q = k = self.with_pos_embed(src, pos_embed)
        src, _ = self.self_attn(q, k, value=src, attn_mask=src_mask)
        src = self.norm1(residual + src)
        return self.norm2(src + self.linear2(F.gelu(self.linear1(src))))


class HybridEncoder(nn.Module):
    def __init__(self, in_channels=(64, 128), hidden=64, nhead=8):
        super().__init__()
        self.proj = nn.ModuleList(nn.Conv2d(c, hidden, 1) for c in in_channels)
        self.encoder = TransformerEncoderLayer(hidden, nhead)

    def forward(self, feats):
        feats = [proj(f) for proj, f in zip(self.proj, feats)]
        h, w = feats[-1].shape[2:]
        src = feats[-1].flatten(2).permute(0, 2, 1)
        memory = self.encoder(src)
        feats[-1] = memory.permute(0, 2, 1).reshape(-1, 64, h, w)
        return feats


if __name__ == "__main__":
    encoder = HybridEncoder()
    print([f.shape for f in encoder([torch.randn(2, 64, 16, 16), torch.randn(2, 128, 8, 8)])])
