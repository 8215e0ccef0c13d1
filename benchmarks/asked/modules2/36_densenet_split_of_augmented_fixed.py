import os

import torch
from torch import nn
from torchvision import datasets, transforms


def train_epoch(model, loader, optimizer, epoch):
    model.train()
    for batch_idx, (input, target) in enumerate(loader):
        output = model(input)
        loss = torch.nn.functional.cross_entropy(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def test_epoch(model, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for input, target in loader:
            correct += (model(input).argmax(1) == target).sum().item()
    return correct / len(loader.dataset)


def train(model, train_set, valid_set, n_epochs=300, batch_size=64, lr=0.1):
    train_loader = torch.utils.data.DataLoader(train_set, batch_size=batch_size, shuffle=True)
    valid_loader = torch.utils.data.DataLoader(valid_set, batch_size=batch_size, shuffle=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True)
    for epoch in range(n_epochs):
        train_epoch(model, train_loader, optimizer, epoch)
        print(epoch, test_epoch(model, valid_loader))


def demo(data, valid_size=5000, seed=None):
    mean, stdv = [0.5071, 0.4867, 0.4408], [0.2675, 0.2565, 0.2761]
    train_transforms = transforms.Compose([
        transforms.RandomCrop(32, padding=4),
        transforms.RandomHorizontalFlip(),
        transforms.ToTensor(),
        transforms.Normalize(mean=mean, std=stdv),
    ])
    test_transforms = transforms.Compose([transforms.ToTensor(), transforms.Normalize(mean=mean, std=stdv)])
    train_set = datasets.CIFAR10(data, train=True, transform=train_transforms, download=True)
    valid_set = datasets.CIFAR10(data, train=True, transform=test_transforms, download=False)
    indices = torch.randperm(len(train_set))
    train_indices = indices[: len(indices) - valid_size]
    valid_indices = indices[len(indices) - valid_size :]
    valid_set = torch.utils.data.Subset(valid_set, valid_indices)
    train_set = torch.utils.data.Subset(train_set, train_indices)
    model = nn.Sequential(nn.Conv2d(3, 12, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, 10))
    train(model, train_set, valid_set, n_epochs=2)


if __name__ == "__main__":
    demo(os.path.expanduser("~/data"))
