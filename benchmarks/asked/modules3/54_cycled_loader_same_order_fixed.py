import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def cycle_dataloader(dataloader):
    epoch = 0
    while True:
        dataloader.sampler.set_epoch(epoch)
        epoch += 1
        for batch in dataloader:
            yield batch


def create_dataloader(dataset, rank, world_size, batch_size):
    sampler = DistributedSampler(dataset, world_size, rank, shuffle=True, drop_last=False)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler)


def main():
    dist.init_process_group("gloo")
    dataset = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
    loader = create_dataloader(dataset, dist.get_rank(), dist.get_world_size(), 4)
    data = cycle_dataloader(loader)
    model = DistributedDataParallel(nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(200):
        x, y = next(data)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
