import cv2
import torch
import torch.nn as nn


class ConvBlock(nn.Module):
    def __init__(self, ch_in, ch_out):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(ch_in, ch_out, 3, padding=1), nn.BatchNorm2d(ch_out), nn.ReLU(inplace=True))

    def forward(self, x):
        return self.conv(x)


class SmallUNet(nn.Module):
    def __init__(self, img_ch=3, output_ch=1):
        super().__init__()
        self.pool = nn.MaxPool2d(2)
        self.conv1 = ConvBlock(img_ch, 64)
        self.conv2 = ConvBlock(64, 128)
        self.up = nn.Upsample(scale_factor=2)
        self.out = nn.Conv2d(192, output_ch, 1)

    def forward(self, x):
        x1 = self.conv1(x)
        x2 = self.conv2(self.pool(x1))
        return self.out(torch.cat([x1, self.up(x2)], dim=1))


model = SmallUNet().eval()
image = cv2.imread("scan.png")
image = cv2.resize(image, (512, 512))
image = torch.from_numpy(image).permute(2, 0, 1).float() / 255
with torch.no_grad():
    mask = torch.sigmoid(model(image.unsqueeze(0)))
print(mask.mean())
