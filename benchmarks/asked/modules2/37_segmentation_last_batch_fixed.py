import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class PSPModule(nn.Module):
    def __init__(self, in_channels, bin_sizes=(1, 2)):
        super().__init__()
        out = in_channels // len(bin_sizes)
        self.stages = nn.ModuleList([self._make_stage(in_channels, out, b) for b in bin_sizes])
        self.bottleneck = nn.Conv2d(in_channels + out * len(bin_sizes), in_channels, 1)

    def _make_stage(self, in_channels, out_channels, bin_sz):
        prior = nn.AdaptiveAvgPool2d(output_size=bin_sz)
        conv = nn.Conv2d(in_channels, out_channels, kernel_size=1, bias=False)
        return nn.Sequential(prior, conv, nn.BatchNorm2d(out_channels), nn.ReLU(inplace=True))

    def forward(self, features):
        h, w = features.size()[2:]
        pyramids = [features]
        pyramids.extend([F.interpolate(stage(features), size=(h, w), mode="bilinear", align_corners=True) for stage in self.stages])
        return self.bottleneck(torch.cat(pyramids, dim=1))


class PSPNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.psp = PSPModule(8)
        self.head = nn.Conv2d(8, classes, 1)

    def forward(self, x):
        return self.head(self.psp(self.stem(x)))


def main():
    data = TensorDataset(torch.randn(9, 3, 16, 16), torch.randint(0, 4, (9, 16, 16)))
    loader = DataLoader(data, batch_size=4, shuffle=True, drop_last=True)
    model = PSPNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(2):
        model.train()
        for image, target in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(image), target)
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
