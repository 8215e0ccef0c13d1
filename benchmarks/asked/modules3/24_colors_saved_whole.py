import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


class ColorNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 16, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(16, 3, 2, stride=2)

    def forward(self, x):
        return torch.sigmoid(self.up(F.relu(self.down(x))))


def train(path):
    cnn = ColorNet()
    optimizer = torch.optim.RMSprop(cnn.parameters(), lr=1e-3)
    for epoch in range(3):
        color = torch.rand(8, 3, 32, 32)
        optimizer.zero_grad()
        loss = F.mse_loss(cnn(color.mean(1, keepdim=True)), color)
        loss.backward()
        optimizer.step()
    torch.save(cnn, path)  # asked: TL908


def infer(path):
    model = torch.load(path, map_location="cpu")
    model.eval()
    with torch.no_grad():
        print(model(torch.rand(1, 1, 32, 32)).shape)


if __name__ == "__main__":
    if sys.argv[1:] == ["infer"]:
        infer("colors.pt")
    else:
        train("colors.pt")
