import torch
import torch.nn as nn


class StyleBlock(nn.Module):
    def __init__(self, in_c, out_c, spatial):
        super().__init__()
        self.out_c = out_c
        layers = []
        while spatial > 1:
            layers += [nn.Conv2d(in_c, out_c, 3, stride=2, padding=1), nn.LeakyReLU()]
            in_c = out_c
            spatial //= 2
        self.convs = nn.Sequential(*layers)
        self.linear = nn.Linear(out_c, out_c)

    def forward(self, x):
        x = self.convs(x)
        return self.linear(x.view(-1, self.out_c))


class LatentEncoder(nn.Module):
    def __init__(self, n_styles=6):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.PReLU(32))
        self.pool = nn.AdaptiveAvgPool2d((1, 1))
        self.base = nn.Linear(32, 64)
        self.styles = nn.ModuleList([StyleBlock(32, 64, 16) for _ in range(n_styles)])

    def forward(self, x):
        x = self.stem(x)
        w0 = self.base(self.pool(x).flatten(1))
        w = w0.repeat(len(self.styles), 1, 1).permute(1, 0, 2)
        deltas = torch.stack([style(x) for style in self.styles], dim=1)
        return w + deltas


if __name__ == "__main__":
    print(LatentEncoder()(torch.randn(2, 3, 16, 16)).shape)
