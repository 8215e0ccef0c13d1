import torch
from einops import rearrange
from torch import nn


class AEALblock(nn.Module):
    def __init__(self, d_model, nhead, dim_feedforward=64, width=5):
        super().__init__()
        self.self_attn1 = nn.MultiheadAttention(d_model // 2, nhead // 2, batch_first=True)
        self.self_attn2 = nn.MultiheadAttention(d_model // 2, nhead // 2, batch_first=True)
        self.linear1 = nn.Conv2d(d_model, dim_feedforward, 1)
        self.linear2 = nn.Conv2d(dim_feedforward, d_model, 1)
        self.activation = nn.ReLU()
        self.width = width

    def forward(self, src):
        b, c, h, w = src.shape
        x1 = src[:, 0 : c // 2]
        x1_ = rearrange(x1, "b c (h1 h2) w -> b c h1 h2 w", h2=self.width)
        x1_ = rearrange(x1_, "b c h1 h2 w -> (b h1) (h2 w) c")
        x2 = src[:, c // 2 :]
        x2_ = rearrange(x2, "b c h (w1 w2) -> b c h w1 w2", w2=self.width)
        x2_ = rearrange(x2_, "b c h w1 w2 -> (b w1) (h w2) c")
        x1_ = self.self_attn1(x1_, x1_, x1_)[0]
        x2_ = self.self_attn2(x2_, x2_, x2_)[0]
        x1 = rearrange(x1_, "(b h1) (h2 w) c -> b c (h1 h2) w", b=b, h2=self.width, w=w)
        x2 = rearrange(x2_, "(b w1) (h w2) c -> b c h (w1 w2)", b=b, w2=self.width, h=h)
        src = src + torch.cat([x1, x2], dim=1)
        return src + self.linear2(self.activation(self.linear1(src)))


class Matting(nn.Module):
    def __init__(self, channels=16):
        super().__init__()
        self.start = nn.Conv2d(4, channels, 3, padding=1)
        self.areal = AEALblock(channels, 4)
        self.alpha = nn.Conv2d(channels, 1, 1)

    def forward(self, image_and_trimap):
        return torch.sigmoid(self.alpha(self.areal(self.start(image_and_trimap))))


if __name__ == "__main__":
    torch.manual_seed(0)
    model, images = Matting().eval(), torch.rand(2, 4, 10, 10)
    print(torch.allclose(model(images)[:1], model(images[:1]), atol=1e-5))
