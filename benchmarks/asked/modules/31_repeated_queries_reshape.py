import torch
import torch.nn as nn


class Fusion(nn.Module):
    def __init__(self, num_queries, width):
        super().__init__()
        self.num_queries = num_queries
        self.query_embed = nn.Embedding(num_queries, width)
        self.attn = nn.MultiheadAttention(width, 4)

    def forward(self, features, audio_features):
        # features: L x B x C, audio_features: B x 1 x C
        bs = features.shape[1]
        query = self.query_embed.weight.unsqueeze(1).repeat(1, bs, 1)
        audio_features = audio_features.repeat(1, self.num_queries, 1).reshape(self.num_queries, -1, audio_features.shape[-1])  # asked: TL703
        out, _ = self.attn(query + audio_features, features, features)
        return out


print(Fusion(10, 16)(torch.randn(30, 2, 16), torch.randn(2, 1, 16)).shape)
