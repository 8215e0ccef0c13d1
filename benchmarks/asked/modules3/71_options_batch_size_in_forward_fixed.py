import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--batchSize", type=int, default=12)
parser.add_argument("--warpN", type=int, default=2)
opt = parser.parse_args([])


class Warper(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv2Layers = nn.Sequential(nn.Conv2d(2, 8, 7), nn.ReLU(True), nn.MaxPool2d(2), nn.Conv2d(8, 4, 7), nn.ReLU(True))
        self.linearLayers = nn.Sequential(nn.Linear(4 * 5 * 5, 48), nn.ReLU(True), nn.Linear(48, 6))

    def forward(self, image, reference):
        for _ in range(opt.warpN):
            combined = torch.cat([image, reference], dim=1)
            feat = self.conv2Layers(combined).reshape(combined.size(0), -1)
            theta = self.linearLayers(feat).view(-1, 2, 3)
            grid = F.affine_grid(theta, list(image.shape), align_corners=False)
            image = F.grid_sample(image, grid, align_corners=False)
        return image


loader = DataLoader(TensorDataset(torch.rand(40, 1, 28, 28), torch.rand(40, 1, 28, 28)), batch_size=opt.batchSize, shuffle=True)
model = Warper()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for image, reference in loader:
    loss = F.mse_loss(model(image, reference), reference)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
