import argparse
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class ConvNet(nn.Module):
    def __init__(self, num_classes=10):
        super(ConvNet, self).__init__()
        self.layer1 = nn.Sequential(nn.Conv2d(1, 8, kernel_size=5, padding=2), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Linear(14 * 14 * 8, num_classes)

    def forward(self, x):
        out = self.layer1(x)
        return self.fc(out.reshape(out.size(0), -1))


def train(gpu, args):
    rank = args.nr * args.gpus + gpu
    dist.init_process_group(backend="gloo", init_method="env://", world_size=args.world_size, rank=rank)
    torch.manual_seed(0)
    model = nn.parallel.DistributedDataParallel(ConvNet())
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), 1e-4)
    train_dataset = TensorDataset(torch.rand(256, 1, 28, 28), torch.randint(0, 10, (256,)))
    train_sampler = torch.utils.data.distributed.DistributedSampler(train_dataset, num_replicas=args.world_size, rank=rank)
    train_loader = DataLoader(dataset=train_dataset, batch_size=32, shuffle=False, num_workers=0, sampler=train_sampler)
    for epoch in range(args.epochs):
        train_sampler.set_epoch(epoch)
        for i, (images, labels) in enumerate(train_loader):
            outputs = model(images)
            loss = criterion(outputs, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if (i + 1) % 2 == 0 and gpu == 0:
                print("Epoch [{}/{}], Step {}, Loss: {:.4f}".format(epoch + 1, args.epochs, i + 1, loss.item()))
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-g", "--gpus", default=2, type=int)
    parser.add_argument("-nr", "--nr", default=0, type=int)
    parser.add_argument("--epochs", default=2, type=int)
    args = parser.parse_args()
    args.world_size = args.gpus
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", "8888"
    mp.spawn(train, nprocs=args.gpus, args=(args,))


if __name__ == "__main__":
    main()
