import torch
from torch import nn
from torch.nn import functional as F


class SpacedKernel(nn.Module):
    def __init__(self, out_channels, in_channels, count, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.randn(out_channels, in_channels, count))
        self.P = nn.Parameter(torch.zeros(2, out_channels, in_channels, count))
        self.init_tmp_variables()

    def init_tmp_variables(self):
        J = torch.arange(0, self.size)
        I = torch.arange(0, self.size)
        self.IDX = torch.stack(torch.meshgrid(I, J, indexing="ij"), dim=0).float()  # asked: TL403
        self.lim = torch.tensor([self.size, self.size])

    def forward(self):
        P = self.P + self.lim.view(2, 1, 1, 1) // 2
        distance = (self.IDX[:, None, None, None] - P[..., None, None]).abs()
        X = (1 - distance).clamp(min=0).prod(dim=0)
        return (self.weight[..., None, None] * X).sum(dim=2)


class SpacedConv2d(nn.Module):
    def __init__(self, in_channels, out_channels, count=9, size=7):
        super().__init__()
        self.kernel = SpacedKernel(out_channels, in_channels, count, size)

    def forward(self, x):
        return F.conv2d(x, self.kernel(), padding=3)


if __name__ == "__main__":
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    conv = SpacedConv2d(3, 8).to(device)
    print(conv(torch.randn(2, 3, 16, 16, device=device)).shape)
