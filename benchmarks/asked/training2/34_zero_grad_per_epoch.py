import argparse
from copy import deepcopy

import torch
import torch.nn as nn
import torch.optim as optim

parser = argparse.ArgumentParser()
args = parser.parse_args("")
args.lr, args.epoch, args.optim, args.l2 = 0.001, 2, "Adam", 1e-5


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


def train(net, partition, optimizer, criterion, args):
    trainloader = partition["train"]
    net.train()
    correct, total, train_loss = 0, 0, 0.0
    optimizer.zero_grad()
    for i, data in enumerate(trainloader, 0):
        inputs, labels = data
        outputs = net(inputs)
        loss = criterion(outputs, labels)
        loss.backward()  # asked: TL201
        optimizer.step()
        train_loss += loss.item()
        _, predicted = torch.max(outputs.data, 1)
        total += labels.size(0)
        correct += (predicted == labels).sum().item()
    return net, train_loss / len(trainloader), 100 * correct / total


def experiment(partition, args):
    net = CNN()
    criterion = nn.CrossEntropyLoss()
    if args.optim == "SGD":
        optimizer = optim.SGD(net.parameters(), lr=args.lr, weight_decay=args.l2)
    elif args.optim == "RMSprop":
        optimizer = optim.RMSprop(net.parameters(), lr=args.lr, weight_decay=args.l2)
    elif args.optim == "Adam":
        optimizer = optim.Adam(net.parameters(), lr=args.lr, weight_decay=args.l2)
    else:
        raise ValueError("In-valid optimizer choice")
    losses = []
    for epoch in range(args.epoch):
        net, train_loss, train_acc = train(net, partition, optimizer, criterion, args)
        losses.append(train_loss)
    return deepcopy(vars(args)), losses


print(experiment({"train": [(torch.randn(4, 3, 8, 8), torch.randint(0, 10, (4,))) for _ in range(3)]}, args))
