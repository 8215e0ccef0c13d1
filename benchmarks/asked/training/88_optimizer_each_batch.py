import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def train_step(model, x, y, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)  # asked: TL215
    optimizer.zero_grad()
    loss = nn.functional.smooth_l1_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
    loader = DataLoader(TensorDataset(torch.randn(64, 3), torch.randn(64, 1)), batch_size=8)
    for epoch in range(3):
        losses = []
        for x, y in loader:
            losses.append(train_step(model, x, y, 1e-3))
        print(epoch, sum(losses) / len(losses))


main()
