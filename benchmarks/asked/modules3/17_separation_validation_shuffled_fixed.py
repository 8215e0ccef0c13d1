import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Mixtures(Dataset):
    def __init__(self, count, samples=400):
        self.count, self.samples = count, samples

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        generator = torch.Generator().manual_seed(i)
        sources = torch.randn(2, self.samples, generator=generator)
        return sources.sum(0), sources


class Separator(nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = nn.Conv1d(1, 2, 9, padding=4)

    def forward(self, mix):
        return self.mask(mix.unsqueeze(1))


def validate(model, loader, loss_fn):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for mix, sources in loader:
            total += loss_fn(model(mix), sources).item()
    return total / len(loader)


def main(conf):
    train_loader = DataLoader(Mixtures(40), batch_size=conf.batch_size, shuffle=True, drop_last=True)
    val_loader = DataLoader(Mixtures(16), shuffle=False, batch_size=conf.batch_size, drop_last=True)
    model = Separator()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loss_fn = nn.MSELoss()
    for epoch in range(conf.epochs):
        model.train()
        for mix, sources in train_loader:
            optimizer.zero_grad()
            loss = loss_fn(model(mix), sources)
            loss.backward()
            optimizer.step()
        print(epoch, validate(model, val_loader, loss_fn))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=2)
    main(parser.parse_args([]))
