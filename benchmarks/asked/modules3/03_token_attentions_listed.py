import torch
import torch.nn as nn


class MapAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(2, 1, kernel_size=(1, 1), stride=1), nn.BatchNorm2d(1), nn.ReLU())
        self.sgap = nn.AvgPool2d(2)

    def forward(self, x):
        b, h, w, c = x.shape
        x = x.permute(0, 3, 1, 2)
        mx = torch.max(x, 1)[0].unsqueeze(1)
        avg = torch.mean(x, 1).unsqueeze(1)
        weight_map = self.conv(torch.cat([mx, avg], dim=1))
        return (x * weight_map).mean(dim=(-2, -1))


class TokenPicker(nn.Module):
    def __init__(self, S):
        super().__init__()
        self.S = S
        self.tokenizers = [MapAttention() for _ in range(S)]  # asked: TL402

    def forward(self, x):
        b, _, _, c = x.shape
        picked = torch.zeros(b, self.S, c, device=x.device)
        for i in range(self.S):
            picked[:, i, :] = self.tokenizers[i](x)
        return picked


class TokenMixer(nn.Module):
    def __init__(self, S, c):
        super().__init__()
        self.picker = TokenPicker(S)
        self.proj = nn.Linear(c, c)

    def forward(self, x):
        return self.proj(self.picker(x))


model = TokenMixer(S=8, c=128)
print(model(torch.randn(2, 32, 32, 128)).shape)
