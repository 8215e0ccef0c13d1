import torch
import torch.nn as nn


class AnchorLayer(nn.Module):
    def __init__(self, d_model=64, d_ffn=128, heads=4):
        super().__init__()
        self.attn = nn.MultiheadAttention(d_model, heads, batch_first=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.linear1 = nn.Linear(d_model, d_ffn)
        self.linear2 = nn.Linear(d_ffn, d_model)
        self.norm2 = nn.LayerNorm(d_model)

    def forward(self, x, pos):
        x = self.norm1(x + self.attn(x + pos, x + pos, x)[0])
        return self.norm2(x + self.linear2(torch.relu(self.linear1(x))))


class AnchorTransformer(nn.Module):
    def __init__(self, d_model=64, num_layers=2, num_levels=3, num_position=100):
        super().__init__()
        self.d_model = d_model
        self.layers = nn.ModuleList([AnchorLayer(d_model) for _ in range(num_layers)])
        self.position = nn.Embedding(num_position, 2)
        self.adapt_pos = nn.Sequential(nn.Linear(2, d_model), nn.ReLU(), nn.Linear(d_model, d_model))
        self.level_embed = nn.Embedding(num_levels, d_model)  # asked: TL406
        self.class_embed = nn.Linear(d_model, 91)

    def forward(self, memory):
        pos = self.adapt_pos(self.position.weight).unsqueeze(0)
        query = memory.mean(1, keepdim=True) + torch.zeros_like(pos)
        for layer in self.layers:
            query = layer(query, pos)
        return self.class_embed(query)


if __name__ == "__main__":
    print(AnchorTransformer()(torch.randn(2, 20, 64)).shape)
