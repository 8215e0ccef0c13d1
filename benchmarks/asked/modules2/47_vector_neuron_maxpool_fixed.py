import torch
import torch.nn as nn


class VNMaxPool(nn.Module):
    def __init__(self, in_channels):
        super(VNMaxPool, self).__init__()
        self.map_to_dir = nn.Linear(in_channels, in_channels, bias=False)

    def forward(self, x):
        """x: (B, N_feat, 3, N_points)"""
        d = self.map_to_dir(x.transpose(1, -1)).transpose(1, -1)
        dotprod = (x * d).sum(2, keepdims=True)
        idx = dotprod.argmax(dim=-1, keepdim=False)
        index_tuple = torch.meshgrid([torch.arange(j) for j in x.size()[:-1]], indexing="ij") + (idx,)
        x_max = x[index_tuple]
        return x_max


if __name__ == "__main__":
    print(VNMaxPool(4)(torch.randn(2, 4, 3, 16)).shape)
