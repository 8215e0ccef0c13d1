import argparse
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Boxes(Dataset):
    def __init__(self, path, n=64):
        self.n = n
        self.images = torch.rand(n, 3, 32, 32)
        self.labels = (torch.arange(n) * 4 // n).sort().values

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return self.images[i], self.labels[i]


def create_dataloader(path, batch_size, rank=-1, world_size=1, workers=8):
    dataset = Boxes(path)
    batch_size = min(batch_size, len(dataset))
    nw = min([os.cpu_count() // world_size, batch_size if batch_size > 1 else 0, workers])
    sampler = torch.utils.data.distributed.DistributedSampler(dataset) if rank != -1 else None
    dataloader = DataLoader(dataset, batch_size=batch_size, num_workers=nw, shuffle=sampler is None, sampler=sampler, pin_memory=True)
    return dataloader, dataset


def train(opt):
    model = nn.Sequential(nn.Conv2d(3, 8, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    dataloader, dataset = create_dataloader(opt.data, opt.batch_size, opt.local_rank)
    for epoch in range(opt.epochs):
        model.train()
        if opt.local_rank != -1:
            dataloader.sampler.set_epoch(epoch)
        for i, (imgs, targets) in enumerate(dataloader):
            loss = nn.functional.cross_entropy(model(imgs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="coco128")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--local_rank", type=int, default=-1)
    train(parser.parse_args())
