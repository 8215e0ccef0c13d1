import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tracker(nn.Module):
    def __init__(self, out_channels=15):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, out_channels, 3, padding=1)

    def forward(self, x):
        return self.conv2(F.relu(self.conv1(x)))


def train(model, train_loader, optimizer, criterion, device, epoch, max_iters=1000):
    model.train()
    losses = []
    max_iters = min(max_iters, len(train_loader))
    for iter_id, batch in enumerate(train_loader):
        if iter_id == max_iters:
            break
        out = model(batch[0].float().to(device))
        gt_hm_hp = batch[1].float().to(device)
        loss = criterion(F.sigmoid(out), gt_hm_hp)
        loss.backward()  # asked: TL201
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=2)
    parser.add_argument("--lr", type=float, default=1e-5)
    parser.add_argument("--num_epochs", type=int, default=2)
    args = parser.parse_args()
    loader = DataLoader(TensorDataset(torch.rand(6, 3, 16, 16), torch.rand(6, 15, 16, 16)), batch_size=args.batch_size)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Tracker().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.999), weight_decay=0)
    criterion = nn.MSELoss()
    for epoch in range(args.num_epochs):
        print(epoch, train(model, loader, optimizer, criterion, device, epoch))
