import torch
import torch.nn as nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=26):
        super().__init__()
        self.register_buffer("table", torch.randn(max_len, 1, d_model))

    def forward(self, x):
        return x + self.table[: x.size(0)]


class SemanticVisual(nn.Module):
    def __init__(self, d_model=32):
        super().__init__()
        self.pos_encoder = PositionalEncoding(d_model)
        self.layer = nn.TransformerEncoderLayer(d_model, 4)
        self.cls = nn.Linear(d_model, 37)

    def forward(self, text, feature):
        out = self.layer(torch.cat([text, feature], dim=0))
        return self.cls(out[: text.size(0)])


class IterNet(nn.Module):
    def __init__(self, iterations=2, d_model=32):
        super().__init__()
        self.iterations = iterations
        self.vision = nn.Linear(48, d_model)
        self.embed = nn.Linear(37, d_model)
        self.semantic_visual = SemanticVisual(d_model)

    def forward(self, patches):
        feature = self.vision(patches)
        feature = self.semantic_visual.pos_encoder(feature)
        text = feature[:26]
        for _ in range(self.iterations):
            logits = self.semantic_visual(text, feature)
            text = self.embed(logits.softmax(-1))
        return logits


if __name__ == "__main__":
    print(IterNet()(torch.rand(26, 2, 48)).shape)
