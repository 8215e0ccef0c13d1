import numpy as np
import torch
import torch.nn as nn


def get_attn_subsequent_mask(size):
    attn_shape = (1, size, size)
    subsequent_mask = np.triu(np.ones(attn_shape), k=1).astype("uint8")
    return torch.from_numpy(subsequent_mask)


class TransformerDecoderLayer(nn.Module):
    def __init__(self, size, head_count=2, max_size=100):
        super(TransformerDecoderLayer, self).__init__()
        self.self_attn = nn.MultiheadAttention(size, head_count, batch_first=True)
        self.layer_norm = nn.LayerNorm(size)
        mask = get_attn_subsequent_mask(max_size)
        self.mask = mask  # asked: TL403

    def forward(self, inputs, tgt_pad_mask):
        dec_mask = torch.gt(tgt_pad_mask + self.mask[:, : tgt_pad_mask.size(1), : tgt_pad_mask.size(1)], 0)
        dec_mask = dec_mask.repeat_interleave(2, dim=0)
        x = self.layer_norm(inputs)
        query, _ = self.self_attn(x, x, x, attn_mask=dec_mask)
        return query + inputs


class Decoder(nn.Module):
    def __init__(self, vocab=50, size=16, num_layers=2):
        super().__init__()
        self.embeddings = nn.Embedding(vocab, size, padding_idx=0)
        self.layers = nn.ModuleList([TransformerDecoderLayer(size) for _ in range(num_layers)])

    def forward(self, tgt):
        pad = tgt.eq(0).unsqueeze(1).expand(-1, tgt.size(1), -1).to(torch.uint8)
        out = self.embeddings(tgt)
        for layer in self.layers:
            out = layer(out, pad)
        return out


if __name__ == "__main__":
    decoder = Decoder()
    if torch.cuda.is_available():
        decoder.cuda()
    tgt = torch.randint(1, 50, (3, 7), device="cuda" if torch.cuda.is_available() else "cpu")
    print(decoder(tgt).shape)
