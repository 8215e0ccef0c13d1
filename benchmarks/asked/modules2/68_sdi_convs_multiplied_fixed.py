import torch
import torch.nn as nn
import torch.nn.functional as F


class SDI(nn.Module):
    def __init__(self, channel):
        super().__init__()
        self.convs = nn.ModuleList(
            [nn.Conv2d(channel, channel, kernel_size=3, stride=1, padding=1) for _ in range(4)])

    def forward(self, xs, anchor):
        ans = torch.ones_like(anchor)
        target_size = anchor.shape[-1]
        for i, x in enumerate(xs):
            if x.shape[-1] > target_size:
                x = F.adaptive_avg_pool2d(x, (target_size, target_size))
            elif x.shape[-1] < target_size:
                x = F.interpolate(x, size=(target_size, target_size), mode="bilinear", align_corners=True)
            ans = ans * self.convs[i](x)
        return ans


class UNetV2(nn.Module):
    def __init__(self, channel=8, n_classes=2, deep_supervision=True):
        super().__init__()
        self.sdi = nn.ModuleList([SDI(channel) for _ in range(4)])
        self.seg_outs = nn.ModuleList([nn.Conv2d(channel, n_classes, 1, 1) for _ in range(4)])
        self.deep_supervision = deep_supervision

    def forward(self, feats):
        outs = [sdi(feats, feats[i]) for i, sdi in enumerate(self.sdi)]
        return [self.seg_outs[i](out) for i, out in enumerate(outs)]


if __name__ == "__main__":
    print([o.shape for o in UNetV2()([torch.randn(1, 8, s, s) for s in (32, 16, 8, 4)])])
