import argparse

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


def train_single(args, model, img_patch, gt, optimizer):
    model.train()
    optimizer.zero_grad()
    output = model(img_patch)
    loss = nn.functional.binary_cross_entropy_with_logits(output, gt)
    loss.backward()
    optimizer.step()
    return loss.item()


def main(args):
    data = TensorDataset(torch.randn(20, 1, 8, 8, 8), torch.randint(0, 2, (20, 1, 8, 8, 8)).float())
    train_loader = DataLoader(data, batch_size=1, shuffle=True)
    model = nn.Conv3d(1, 1, 3, padding=1)
    optimizer = optim.Adam(model.parameters(), lr=args.lr)
    losses = []
    batches = iter(train_loader)
    for iteration in range(args.iterations):
        try:
            img_patch, gt = next(batches)
        except StopIteration:
            batches = iter(train_loader)
            img_patch, gt = next(batches)
        losses.append(train_single(args, model, img_patch, gt, optimizer))
        if iteration % args.log_interval == 0:
            print(iteration, sum(losses) / len(losses))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--log-interval", type=int, default=10)
    parser.add_argument("--lr", type=float, default=1e-3)
    main(parser.parse_args())
