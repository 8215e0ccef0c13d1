import argparse

import numpy as np
import torch
import torch.nn as nn


class GoNet(nn.Module):
    def __init__(self):
        super(GoNet, self).__init__()
        self.convnet = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(4))
        self.classifier = nn.Sequential(
            nn.Linear(128 * 2, 64), nn.ReLU(inplace=True), nn.Dropout(), nn.Linear(64, 4)
        )

    def forward(self, x, y):
        x1 = self.convnet(x).view(x.size(0), -1)
        x2 = self.convnet(y).view(x.size(0), -1)
        return self.classifier(torch.cat((x1, x2), 1))


class TestTracker:
    def __init__(self, model_path, frames):
        self.model = GoNet()
        checkpoint = torch.load(model_path, map_location="cpu")
        self.model.load_state_dict(checkpoint["state_dict"])
        self.model.eval()
        self.frames = frames
        self.prev_rect = None

    def __getitem__(self, idx):
        return self.frames[idx], self.frames[idx + 1]

    def get_rect(self, sample):
        x1, x2 = sample
        with torch.no_grad():
            y = self.model(x1.unsqueeze(0), x2.unsqueeze(0))
        bb = y.numpy().transpose((1, 0))
        return bb[:, 0] * 10

    def test(self):
        for i in range(len(self.frames) - 1):
            bb = self.get_rect(self[i])
            print("frame: %d" % (i + 1), np.round(bb, 2))
            self.prev_rect = bb


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-w", "--model-weights", default="/tmp/r15_gonet.pth")
    args = parser.parse_args()
    torch.save({"state_dict": GoNet().state_dict()}, args.model_weights)
    TestTracker(args.model_weights, torch.randn(4, 3, 32, 32)).test()
