import torch
import torch.nn.functional as F
from torch import nn


class CrossLayer(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, num_heads, dropout=0.1)
        self.linear1 = nn.Linear(d_model, d_model * 2)
        self.linear2 = nn.Linear(d_model * 2, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(0.1)
        self.dropout1 = nn.Dropout(0.1)
        self.dropout2 = nn.Dropout(0.1)
        self.activation = F.relu

    def forward(self, x):
        x = self.norm1(x + self.dropout1(self.attention(x, x, x)[0]))
        y = self.linear2(self.dropout(self.activation(self.linear1(x))))  # asked: TL101
        return self.norm2(x + self.dropout2(y))


class Segmenter(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, dim, 3, padding=1), nn.BatchNorm2d(dim), nn.ReLU())
        self.layers = nn.ModuleList([CrossLayer(dim, 4) for _ in range(2)])
        self.head = nn.Conv2d(dim, 1, 1)
        for m in self.modules():
            if isinstance(m, nn.ReLU) or isinstance(m, nn.Dropout):
                m.inplace = True

    def forward(self, x):
        x = self.stem(x)
        b, c, h, w = x.shape
        tokens = x.flatten(2).permute(2, 0, 1)
        for layer in self.layers:
            tokens = layer(tokens)
        return self.head(tokens.permute(1, 2, 0).reshape(b, c, h, w))


if __name__ == "__main__":
    net = Segmenter()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-5)
    loss = F.binary_cross_entropy_with_logits(net(torch.randn(2, 3, 8, 8)), torch.ones(2, 1, 8, 8))
    opt.zero_grad()
    loss.backward()
    opt.step()
