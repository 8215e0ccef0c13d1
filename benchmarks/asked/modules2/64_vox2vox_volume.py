import argparse

import numpy as np
import torch
import torch.nn as nn


class UNetDown(nn.Module):
    def __init__(self, in_size, out_size, normalize=True):
        super(UNetDown, self).__init__()
        layers = [nn.Conv3d(in_size, out_size, 4, 2, 1, bias=False)]
        if normalize:
            layers.append(nn.InstanceNorm3d(out_size))
        layers.append(nn.LeakyReLU(0.2))
        self.model = nn.Sequential(*layers)

    def forward(self, x):
        return self.model(x)


class GeneratorUNet(nn.Module):
    def __init__(self, in_channels=1, out_channels=1):
        super(GeneratorUNet, self).__init__()
        self.down1 = UNetDown(in_channels, 8, normalize=False)
        self.down2 = UNetDown(8, 16)
        self.up = nn.ConvTranspose3d(16, out_channels, 4, 4)

    def forward(self, x):
        return torch.tanh(self.up(self.down2(self.down1(x))))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model_pth", default=None)
    opt = parser.parse_args()
    generator = GeneratorUNet()
    if opt.model_pth:
        generator.load_state_dict(torch.load(opt.model_pth, map_location="cpu"))
    generator.eval()
    img_data = np.zeros((32, 32, 32), dtype=np.float32)
    tensor_arr = torch.tensor(img_data)
    output = generator(tensor_arr).data.cpu().numpy()  # asked: TL710
    print(output.shape)
