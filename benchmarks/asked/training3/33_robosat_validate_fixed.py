import collections

import torch
import torch.nn as nn
from torch.optim import Adam
from torch.utils.data import DataLoader, TensorDataset


class Metrics:
    def __init__(self):
        self.tn = self.fn = self.fp = self.tp = 0

    def add(self, label, predicted):
        confusion = predicted.argmax(0).view(-1).float() / label.view(-1).float()
        self.tn += torch.sum(torch.isnan(confusion)).item()
        self.fn += torch.sum(confusion == float("inf")).item()
        self.fp += torch.sum(confusion == 0).item()
        self.tp += torch.sum(confusion == 1).item()

    def get_miou(self):
        return self.tp / max(1, self.tp + self.fn + self.fp)


def train(loader, device, net, optimizer, criterion):
    num_samples = 0
    running_loss = 0
    net.train()
    for images, masks in loader:
        images, masks = images.to(device), masks.to(device)
        num_samples += int(images.size(0))
        optimizer.zero_grad()
        loss = criterion(net(images), masks)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    return {"loss": running_loss / num_samples}


def validate(loader, device, net, criterion):
    num_samples = 0
    running_loss = 0
    metrics = Metrics()
    net.eval()
    for images, masks in loader:
        images, masks = images.to(device), masks.to(device)
        num_samples += int(images.size(0))
        with torch.no_grad():
            outputs = net(images)
        loss = criterion(outputs, masks)
        running_loss += loss.item()
        for mask, output in zip(masks, outputs):
            metrics.add(mask, output)
    return {"loss": running_loss / num_samples, "miou": metrics.get_miou()}


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 2, 1)).to(device)
    optimizer = Adam(net.parameters(), lr=1e-4)
    criterion = nn.CrossEntropyLoss()
    data = TensorDataset(torch.randn(12, 3, 8, 8), torch.randint(0, 2, (12, 8, 8)))
    train_loader, val_loader = DataLoader(data, 4, shuffle=True), DataLoader(data, 4)
    history = collections.defaultdict(list)
    for epoch in range(2):
        for k, v in train(train_loader, device, net, optimizer, criterion).items():
            history["train " + k].append(v)
        for k, v in validate(val_loader, device, net, criterion).items():
            history["val " + k].append(v)
    print(dict(history))


main()
