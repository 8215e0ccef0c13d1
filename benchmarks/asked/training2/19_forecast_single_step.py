import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Forecaster(nn.Module):
    def __init__(self, n_features, d_model=32, pred_len=1):
        super().__init__()
        self.proj = nn.Linear(n_features, d_model)
        layer = nn.TransformerEncoderLayer(d_model, 4, 64, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(d_model, pred_len)

    def forward(self, x):
        return self.head(self.encoder(self.proj(x))[:, -1])


def make_windows(series, seq_len):
    xs = np.stack([series[i:i + seq_len] for i in range(len(series) - seq_len)])
    ys = series[seq_len:, 0]
    return torch.tensor(xs, dtype=torch.float32), torch.tensor(ys, dtype=torch.float32)


def train(args):
    series = np.random.randn(200, 5)
    x, y = make_windows(series, args.seq_len)
    loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)
    model = Forecaster(5)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    criterion = nn.MSELoss()
    for epoch in range(args.epochs):
        model.train()
        for x_batch, y_batch in loader:
            optimizer.zero_grad()
            pred = model(x_batch)
            loss = criterion(pred, y_batch)  # asked: TL311
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seq-len", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--lr", type=float, default=1e-3)
    train(parser.parse_args())
