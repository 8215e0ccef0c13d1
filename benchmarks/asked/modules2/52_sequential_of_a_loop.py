import torch
import torch.nn as nn


class ASPP(nn.Module):
    def __init__(self, in_channels, out_channels, atrous_rates):
        super().__init__()
        self.branches = nn.ModuleList()
        for rate in atrous_rates:
            modules = []
            modules.append(nn.Conv2d(in_channels, out_channels, 3, padding=rate, dilation=rate, bias=False))
            modules.append(nn.BatchNorm2d(out_channels))
            modules.append(nn.ReLU())
            self.branches.append(nn.Sequential(modules))  # asked: TL415
        self.project = nn.Conv2d(len(atrous_rates) * out_channels, out_channels, 1)

    def forward(self, x):
        return self.project(torch.cat([branch(x) for branch in self.branches], dim=1))


if __name__ == "__main__":
    print(ASPP(16, 8, [6, 12, 18])(torch.randn(2, 16, 33, 33)).shape)
