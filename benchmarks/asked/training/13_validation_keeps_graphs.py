import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class AverageMeter:
    def __init__(self):
        self.sum = self.count = self.avg = 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


class Segmenter(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Dropout2d(0.1))
        self.cls = nn.Conv2d(8, classes, 1)

    def forward(self, x):
        return self.cls(self.layers(x))


def train(train_loader, model, optimizer, criterion):
    model.train()
    for input, target in train_loader:
        loss = criterion(model(input), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def validate(val_loader, model, criterion):
    batch_time, data_time, loss_meter = AverageMeter(), AverageMeter(), AverageMeter()
    model.eval()
    end = time.time()
    for i, (input, target) in enumerate(val_loader):
        data_time.update(time.time() - end)
        output = model(input)  # asked: TL210
        output = F.interpolate(output, size=target.size()[1:], mode="bilinear", align_corners=True)
        loss = criterion(output, target)
        n = input.size(0)
        output = output.max(1)[1]
        correct = (output == target).float().mean().item()
        loss_meter.update(loss.item(), n)
        batch_time.update(time.time() - end)
        end = time.time()
    return loss_meter.avg, correct


def main():
    data = TensorDataset(torch.randn(12, 3, 8, 8), torch.randint(0, 4, (12, 8, 8)))
    train_loader = DataLoader(data, batch_size=4, shuffle=True)
    val_loader = DataLoader(data, batch_size=4)
    model = Segmenter(4)
    criterion = nn.CrossEntropyLoss(ignore_index=255)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for epoch in range(2):
        train(train_loader, model, optimizer, criterion)
        print(validate(val_loader, model, criterion))


if __name__ == "__main__":
    main()
