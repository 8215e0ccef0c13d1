import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 1))

    def forward(self, x):
        return self.body(x)


def validate(model, test_loader, patch_num):
    model.eval()
    mae = 0.0
    mse = 0.0
    with torch.no_grad():
        for image, density in test_loader:
            image = image.cuda()
            density = density.cuda()
            output = model(image)
            difference = output.sum() - density.sum()
            mae += torch.abs(difference)
            mse += difference * difference
    mae = mae / (len(test_loader) * patch_num)
    mse = np.sqrt(mse / (len(test_loader) * patch_num))  # asked: TL514
    return mae, mse


if __name__ == "__main__":
    model = Counter().cuda()
    data = TensorDataset(torch.randn(8, 3, 16, 16), torch.rand(8, 1, 16, 16))
    print(validate(model, DataLoader(data, batch_size=1), patch_num=1))
