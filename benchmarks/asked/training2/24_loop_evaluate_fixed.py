import argparse

import torch
from torch import nn, optim

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", default=2, type=int)
parser.add_argument("--clip-grad", default=0.5, type=float)
args = parser.parse_args()


class Loop(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Embedding(40, 32)
        self.rnn = nn.LSTM(32, 64, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(64, 63)

    def forward(self, src):
        h, _ = self.rnn(self.encoder(src))
        return self.out(self.drop(h))


train_loader = [(torch.randint(0, 40, (4, 20)), torch.randn(4, 20, 63)) for _ in range(3)]
valid_loader = [(torch.randint(0, 40, (4, 20)), torch.randn(4, 20, 63)) for _ in range(2)]


def train(model, criterion, optimizer, epoch, train_losses):
    total = 0
    model.train()
    for txt, feat in train_loader:
        model.zero_grad()
        loss = criterion(model(txt), feat)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), args.clip_grad)
        optimizer.step()
        total += loss.item()
    train_losses.append(total / len(train_loader))


def evaluate(model, criterion, epoch, eval_losses):
    total = 0
    model.eval()
    for txt, feat in valid_loader:
        with torch.no_grad():
            output = model(txt)
        loss = criterion(output, feat)
        total += loss.item()
    avg = total / len(valid_loader)
    eval_losses.append(avg)
    return avg


def main():
    model = Loop()
    criterion = nn.MSELoss()
    optimizer = optim.Adam(model.parameters(), lr=1e-4)
    train_losses, eval_losses = [], []
    best = float("inf")
    for epoch in range(1, 1 + args.epochs):
        train(model, criterion, optimizer, epoch, train_losses)
        eval_loss = evaluate(model, criterion, epoch, eval_losses)
        best = min(best, eval_loss)


if __name__ == "__main__":
    main()
