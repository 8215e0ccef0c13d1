import torch
import torch.nn as nn


class LinearBottleneck(nn.Module):
    def __init__(self, in_channels, channels, t=6, stride=1):
        super(LinearBottleneck, self).__init__()
        self.use_shortcut = stride == 1 and in_channels <= channels
        self.in_channels = in_channels
        self.out = nn.Sequential(
            nn.Conv2d(in_channels, in_channels * t, 1), nn.SiLU(),
            nn.Conv2d(in_channels * t, in_channels * t, 3, stride, 1, groups=in_channels * t), nn.ReLU6(),
            nn.Conv2d(in_channels * t, channels, 1),
        )

    def forward(self, x):
        out = self.out(x)
        if self.use_shortcut:
            out = torch.cat((out[:, : self.in_channels] + x, out[:, self.in_channels :]), dim=1)
        return out


class ReXNetV1(nn.Module):
    def __init__(self, input_ch=16, classes=1000, dropout_ratio=0.2):
        super(ReXNetV1, self).__init__()
        features = [nn.Conv2d(3, input_ch, 3, stride=2, padding=1), nn.SiLU()]
        for channels in (24, 32):
            features.append(LinearBottleneck(input_ch, channels, stride=2))
            input_ch = channels
        features.append(nn.AdaptiveAvgPool2d(1))
        self.features = nn.Sequential(*features)
        self.output = nn.Sequential(nn.Dropout(dropout_ratio), nn.Conv2d(input_ch, classes, 1, bias=True))

    def forward(self, x):
        x = self.features(x)
        x = self.output(x).flatten(1)
        return x


if __name__ == "__main__":
    model = ReXNetV1().eval()
    print(model(torch.randn(2, 3, 64, 64)).shape, model(torch.randn(1, 3, 64, 64)).shape)
