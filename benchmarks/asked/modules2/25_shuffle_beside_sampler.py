import argparse

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset


def train(opt):
    dataset = TensorDataset(torch.randn(64, 5), torch.randn(64, 1))
    model = torch.nn.Linear(5, 1)
    if torch.cuda.device_count() > 1:
        dist.init_process_group(backend=opt.backend, init_method=opt.dist_url, world_size=opt.world_size, rank=opt.rank)
        model = torch.nn.parallel.DistributedDataParallel(model)
        sampler = torch.utils.data.distributed.DistributedSampler(dataset)
    else:
        sampler = None

    dataloader = DataLoader(dataset, batch_size=opt.batch_size, num_workers=opt.num_workers, shuffle=True, pin_memory=True, sampler=sampler)  # asked: TL615
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for epoch in range(opt.epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        for x, y in dataloader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--num-workers", type=int, default=4)
    parser.add_argument("--dist-url", default="tcp://127.0.0.1:9999", type=str)
    parser.add_argument("--rank", default=0, type=int)
    parser.add_argument("--world-size", default=1, type=int)
    parser.add_argument("--backend", default="nccl", type=str)
    train(parser.parse_args())
