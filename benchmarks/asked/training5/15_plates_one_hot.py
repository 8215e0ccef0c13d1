import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset

CHARS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Plates(Dataset):
    def __init__(self, codes):
        self.codes = codes

    def __len__(self):
        return len(self.codes)

    def __getitem__(self, index):
        image = np.random.rand(1, 16, 32).astype(np.float32)
        char = CHARS.index(self.codes[index])
        label = np.zeros(len(CHARS))
        label[char] = 1.0
        return torch.from_numpy(image), torch.from_numpy(label)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 8, 5, padding=2), nn.ReLU(), nn.MaxPool2d(4))
        self.full = nn.Linear(8 * 4 * 8, len(CHARS))

    def forward(self, x):
        x = self.conv(x)
        return self.full(x.view(x.size(0), -1))


def train():
    loader = DataLoader(Plates("A7K0ZX19B2"), batch_size=4, shuffle=True)
    net = Net()
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(net.parameters(), lr=1e-3)
    for images, targets in loader:
        optimizer.zero_grad()
        outputs = net(images)
        loss = criterion(outputs, targets.long())  # asked: TL306
        loss.backward()
        optimizer.step()
        print(loss.item())


if __name__ == "__main__":
    train()
