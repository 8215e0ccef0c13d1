import torch
import torch.nn as nn


class Retention(nn.Module):
    def __init__(self, hidden, gamma):
        super().__init__()
        self.q = nn.Linear(hidden, hidden, bias=False)
        self.k = nn.Linear(hidden, hidden, bias=False)
        self.v = nn.Linear(hidden, hidden, bias=False)
        self.gamma = gamma

    def get_parallel_decay_mask(self, length):
        range_tensor = torch.arange(length)
        range_tensor = range_tensor[None, :].expand(length, length)
        exponent = range_tensor - range_tensor.T
        decay_mask = self.gamma ** exponent
        decay_mask = torch.tril(decay_mask)  # asked: TL501
        return decay_mask

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        retention = q @ k.transpose(-1, -2)
        retention = retention * self.get_parallel_decay_mask(x.shape[1])
        return retention @ v


class RetBlock(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.norm = nn.LayerNorm(hidden)
        self.retention = Retention(hidden, 0.9)

    def forward(self, x):
        return x + self.retention(self.norm(x))


if __name__ == "__main__":
    print(RetBlock(16)(torch.randn(2, 8, 16)).shape)
