import gzip
import struct

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


def read_idx(path):
    with gzip.open(path, "rb") as file:
        _, count, rows, columns = struct.unpack(">IIII", file.read(16))
        return np.frombuffer(file.read(), dtype=np.uint8).reshape(count, 1, rows, columns)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 10, kernel_size=5)
        self.conv2 = nn.Conv2d(10, 20, kernel_size=5)
        self.fc1 = nn.Linear(320, 50)
        self.fc2 = nn.Linear(50, 10)

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        x = F.relu(F.max_pool2d(self.conv2(x), 2))
        x = F.relu(self.fc1(x.view(-1, 320)))
        return F.log_softmax(self.fc2(x), dim=1)


def train(images, labels, batch_size=16):
    model = Net()
    optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.5)
    model.train()
    for start in range(0, len(images), batch_size):
        data = torch.from_numpy(images[start : start + batch_size])
        target = torch.from_numpy(labels[start : start + batch_size])
        optimizer.zero_grad()
        output = model(data)  # asked: TL506
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        print(loss.item())


if __name__ == "__main__":
    images = np.random.randint(0, 256, (64, 1, 28, 28)).astype(np.uint8)
    labels = np.random.randint(0, 10, 64).astype(np.int64)
    train(images, labels)
