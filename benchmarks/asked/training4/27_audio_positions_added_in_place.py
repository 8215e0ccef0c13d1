import torch
import torch.nn.functional as F
from torch import nn


class SamePad(nn.Module):
    def __init__(self, kernel_size):
        super().__init__()
        self.remove = 1 if kernel_size % 2 == 0 else 0

    def forward(self, x):
        return x[:, :, :-self.remove] if self.remove > 0 else x


class TransformerEncoder(nn.Module):
    def __init__(self, dim=32, layers=2, conv_pos=16, groups=4):
        super().__init__()
        self.pos_conv = nn.Sequential(
            nn.Conv1d(dim, dim, kernel_size=conv_pos, padding=conv_pos // 2, groups=groups), SamePad(conv_pos), nn.GELU()
        )
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True) for _ in range(layers)])
        self.layer_norm = nn.LayerNorm(dim)

    def extract_features(self, x, padding_mask=None):
        if padding_mask is not None:
            x = x.masked_fill(padding_mask.unsqueeze(-1), 0)
        x_conv = self.pos_conv(x.transpose(1, 2))
        x_conv = x_conv.transpose(1, 2)
        x += x_conv  # asked: TL101
        x = self.layer_norm(x)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=padding_mask)
        return x

    def forward(self, x, padding_mask=None):
        return self.extract_features(x, padding_mask)


class BEATs(nn.Module):
    def __init__(self, dim=32, classes=5):
        super().__init__()
        self.patch_embedding = nn.Linear(16, dim)
        self.encoder = TransformerEncoder(dim)
        self.predictor = nn.Linear(dim, classes)

    def forward(self, fbank):
        return self.predictor(self.encoder(self.patch_embedding(fbank)).mean(1))


model = BEATs()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(2):
    loss = F.cross_entropy(model(torch.randn(4, 30, 16)), torch.randint(0, 5, (4,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
