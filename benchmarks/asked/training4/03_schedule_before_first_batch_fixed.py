import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser("birealnet")
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--learning_rate", type=float, default=0.001)
args = parser.parse_args([])


def train(epoch, train_loader, model, criterion, optimizer, scheduler):
    model.train()
    for param_group in optimizer.param_groups:
        cur_lr = param_group["lr"]
    print("learning_rate:", cur_lr)

    losses = []
    for i, (images, target) in enumerate(train_loader):
        logits = model(images)
        loss = criterion(logits, target)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    scheduler.step()
    return sum(losses) / len(losses)


def main():
    model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 8 * 8, 32), nn.Hardtanh(), nn.Linear(32, 10))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.learning_rate)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0 - step / args.epochs, last_epoch=-1)
    data = TensorDataset(torch.randn(64, 3, 8, 8), torch.randint(0, 10, (64,)))
    train_loader = DataLoader(data, batch_size=16, shuffle=True)
    epoch = 0
    while epoch < args.epochs:
        print(epoch, train(epoch, train_loader, model, criterion, optimizer, scheduler))
        epoch += 1


if __name__ == "__main__":
    main()
