import math

import torch
import torch.nn as nn


def sample_b(sigma, size):
    return torch.randn(size) * sigma


def gaussian_encoding(v, b):
    vp = 2 * math.pi * v @ b.T
    return torch.cat((torch.cos(vp), torch.sin(vp)), dim=-1)


class GaussianEncoding(nn.Module):
    def __init__(self, sigma=None, input_size=None, encoded_size=None, b=None):
        super().__init__()
        if b is None:
            if sigma is None or input_size is None or encoded_size is None:
                raise ValueError('Arguments "sigma," "input_size," and "encoded_size" are required.')
            b = sample_b(sigma, (encoded_size, input_size))
        self.b = b  # asked: TL403

    def forward(self, v):
        return gaussian_encoding(v, self.b)


class ImageField(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoding = GaussianEncoding(sigma=10.0, input_size=2, encoded_size=64)
        self.mlp = nn.Sequential(nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 3), nn.Sigmoid())

    def forward(self, coords):
        return self.mlp(self.encoding(coords))


if __name__ == "__main__":
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    field = ImageField().to(device)
    print(field(torch.rand(100, 2, device=device)).shape, len(list(field.buffers())))
