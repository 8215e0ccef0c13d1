import argparse

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.flownet = nn.Sequential(nn.Conv2d(6, 8, 3, padding=1), nn.PReLU(8), nn.Conv2d(8, 3, 3, padding=1))

    def inference(self, img0, img1):
        return self.flownet(torch.cat((img0, img1), 1))  # asked: TL506


def make_inference(model, I0, I1):
    return model.inference(I0, I1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fp16", dest="fp16", action="store_true")
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_grad_enabled(False)
    model = Model()
    model.eval()
    model.to(device).half()
    frames = [np.random.randint(0, 256, (30, 40, 3), dtype=np.uint8) for _ in range(3)]
    lastframe = frames[0]
    h, w, _ = lastframe.shape
    padding = (0, 64 - w, 0, 32 - h)
    I1 = torch.from_numpy(np.transpose(lastframe, (2, 0, 1))).to(device).unsqueeze(0).float() / 255.0
    I1 = F.pad(I1, padding)
    for frame in frames[1:]:
        I0 = I1
        I1 = torch.from_numpy(np.transpose(frame, (2, 0, 1))).to(device).unsqueeze(0).float() / 255.0
        I1 = F.pad(I1, padding)
        output = make_inference(model, I0, I1)
        print(output.shape)


main()
