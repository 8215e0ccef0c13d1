import argparse

import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--scheduler", default="step", help="learning rate scheduler, or none")
parser.add_argument("--lr", type=float, default=1e-3)


class DispNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU())
        self.disp = nn.Conv2d(16, 1, 3, padding=1)

    def forward(self, x):
        return torch.sigmoid(self.disp(self.encoder(x)))


def train(train_loader, disp_net, optimizer, scheduler):
    disp_net.train()
    for tgt_img, depth in train_loader:
        loss = (disp_net(tgt_img) - depth).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    args = parser.parse_args()
    images, depths = torch.rand(32, 3, 16, 16), torch.rand(32, 1, 16, 16)
    train_loader = DataLoader(TensorDataset(images, depths), batch_size=8, shuffle=True)
    disp_net = DispNet()
    optimizer = torch.optim.Adam(disp_net.parameters(), args.lr)
    scheduler = StepLR(optimizer, step_size=2, gamma=0.5) if args.scheduler == "step" else None
    for epoch in range(args.epochs):
        print(epoch, train(train_loader, disp_net, optimizer, scheduler))
        if scheduler:
            scheduler.step()


if __name__ == "__main__":
    main()
