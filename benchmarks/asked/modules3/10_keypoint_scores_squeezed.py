import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class PointNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(8))
        self.score = nn.Conv2d(16, 1, 1)
        self.where = nn.Conv2d(16, 2, 1)

    def forward(self, image):
        h = self.body(image)
        return torch.sigmoid(self.score(h)), torch.tanh(self.where(h))


def pick(score, coord, k):
    b, _, h, w = score.shape
    score = score.view(b, 1, h * w).squeeze()  # asked: TL702
    coord = coord.view(b, 2, h * w)
    best, index = score.topk(k, dim=1)
    return best, torch.gather(coord, 2, index.unsqueeze(1).expand(b, 2, k))


def evaluate(net, loader, k=20):
    net.eval()
    found = []
    with torch.no_grad():
        for (image,) in loader:
            best, where = pick(*net(image), k)
            found.append(best.mean().item())
    return found


if __name__ == "__main__":
    data = TensorDataset(torch.rand(9, 3, 64, 64))
    print(evaluate(PointNet(), DataLoader(data, batch_size=4)))
