import torch
from torch import nn


class TransformerLayer(nn.Module):
    def __init__(self, model_dim, attention_layer, ff_layer, norm_layer):
        super().__init__()
        self.att = attention_layer
        self.ff = ff_layer
        self.norm1, self.norm2 = norm_layer(model_dim), norm_layer(model_dim)

    def forward(self, x):
        y = self.norm1(x)
        x = x + self.att(y, y, y, need_weights=False)[0]
        return x + self.ff(self.norm2(x))


class TransformerEncoder(nn.Module):
    def __init__(self, model_dim, num_layers, ff_dim=None, num_heads=4, ff_layer=None):
        super().__init__()
        ff_dim = ff_dim or 4 * model_dim
        if ff_layer is None:
            ff_layer = lambda: nn.Sequential(nn.Linear(model_dim, ff_dim), nn.ReLU(), nn.Linear(ff_dim, model_dim))
        self.encoder_layers = nn.ModuleList(
            [
                TransformerLayer(
                    model_dim,
                    nn.MultiheadAttention(model_dim, num_heads, batch_first=True),
                    ff_layer(),
                    nn.LayerNorm,
                )
                for _ in range(num_layers)
            ]
        )

    def forward(self, x):
        for layer in self.encoder_layers:
            x = layer(x)
        return x


if __name__ == "__main__":
    encoder = TransformerEncoder(32, num_layers=3)
    print(encoder(torch.randn(2, 10, 32)).shape)
    print(encoder.encoder_layers[0].ff is encoder.encoder_layers[1].ff)
