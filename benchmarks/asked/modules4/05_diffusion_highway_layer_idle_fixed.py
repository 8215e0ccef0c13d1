import torch
import torch.nn as nn
import torch.nn.functional as F


class Attend(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.GroupNorm(4, channels)
        self.qkv = nn.Conv2d(channels, channels * 3, 1)
        self.proj = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x)).flatten(2).transpose(1, 2).chunk(3, dim=-1)
        out = F.scaled_dot_product_attention(q, k, v)
        return x + self.proj(out.transpose(1, 2).reshape(b, c, h, w))


class UNetModel(nn.Module):
    def __init__(self, channels=16):
        super().__init__()
        self.time_embed = nn.Sequential(nn.Linear(1, channels), nn.SiLU(), nn.Linear(channels, channels))
        self.input_block = nn.Conv2d(4, channels, 3, padding=1)
        self.middle = Attend(channels)
        self.out = nn.Conv2d(channels, 1, 3, padding=1)

    def forward(self, x, timesteps):
        emb = self.time_embed(timesteps[:, None])
        h = self.input_block(x) + emb[..., None, None]
        return self.out(self.middle(h))


def main():
    model = UNetModel()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for _ in range(2):
        x, noise, t = torch.randn(2, 4, 16, 16), torch.randn(2, 1, 16, 16), torch.rand(2)
        loss = F.mse_loss(model(x, t), noise)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print([name for name, p in model.named_parameters() if p.grad is None])


if __name__ == "__main__":
    main()
