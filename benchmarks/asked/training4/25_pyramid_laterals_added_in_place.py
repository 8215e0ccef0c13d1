import torch
import torch.nn as nn
import torch.nn.functional as F


class ConvModule(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, padding=0):
        super(ConvModule, self).__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, padding=padding)
        self.activate = nn.ReLU()

    def forward(self, x):
        return self.activate(self.conv(x))


class FPN(nn.Module):
    def __init__(self, in_channels, out_channels):
        super(FPN, self).__init__()
        self.lateral_convs = nn.ModuleList()
        self.fpn_convs = nn.ModuleList()
        for channels in in_channels:
            self.lateral_convs.append(ConvModule(channels, out_channels, 1))
            self.fpn_convs.append(ConvModule(out_channels, out_channels, 3, padding=1))

    def forward(self, inputs):
        laterals = [conv(inputs[i]) for i, conv in enumerate(self.lateral_convs)]
        used_backbone_levels = len(laterals)
        for i in range(used_backbone_levels - 1, 0, -1):
            prev_shape = laterals[i - 1].shape[2:]
            laterals[i - 1] += F.interpolate(laterals[i], size=prev_shape, mode="nearest")  # asked: TL101
        return [self.fpn_convs[i](laterals[i]) for i in range(used_backbone_levels)]


class Counter(nn.Module):
    def __init__(self):
        super(Counter, self).__init__()
        self.stem = nn.ModuleList([nn.Conv2d(3, 8, 3, 2, 1), nn.Conv2d(8, 16, 3, 2, 1), nn.Conv2d(16, 32, 3, 2, 1)])
        self.neck = FPN([8, 16, 32], 16)
        self.head = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        feats = []
        for stage in self.stem:
            x = stage(x)
            feats.append(x)
        return self.head(self.neck(feats)[0])


if __name__ == "__main__":
    model = Counter()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    for _ in range(2):
        loss = F.mse_loss(model(torch.randn(2, 3, 64, 64)), torch.rand(2, 1, 32, 32))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
