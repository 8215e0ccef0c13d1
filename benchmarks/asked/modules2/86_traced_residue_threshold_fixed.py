import torch
import torch.nn as nn


class RealBasicVSRNet(nn.Module):
    def __init__(self, mid_channels=8, num_cleaning=20, dynamic_refine_thres=255):
        super().__init__()
        self.dynamic_refine_thres = dynamic_refine_thres / 255.0
        self.num_cleaning = num_cleaning
        self.image_cleaning = nn.Sequential(nn.Conv2d(3, mid_channels, 3, 1, 1), nn.ReLU(), nn.Conv2d(mid_channels, 3, 3, 1, 1))
        self.upsample = nn.Sequential(nn.Conv2d(3, 48, 3, 1, 1), nn.PixelShuffle(4))

    def forward(self, lqs):
        n, t, c, h, w = lqs.size()
        for _ in range(0, 3):
            lqs = lqs.view(-1, c, h, w)
            residues = self.image_cleaning(lqs)
            lqs = (lqs + residues).view(n, t, c, h, w)
        return self.upsample(lqs.view(-1, c, h, w)).view(n, t, c, 4 * h, 4 * w)


def main():
    model = RealBasicVSRNet().eval()
    example = torch.rand(1, 3, 3, 16, 16)
    with torch.no_grad():
        traced = torch.jit.trace(model, example)
    traced.save("/tmp/realbasicvsr.pt")
    print((traced(example) - model(example)).abs().max())


if __name__ == "__main__":
    main()
