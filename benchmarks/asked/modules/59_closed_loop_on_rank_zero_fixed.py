import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def closed_loop_validate(model, rank, world_size):
    scores = []
    for scene in range(rank, 8, world_size):
        with torch.no_grad():
            scores.append(model(torch.full((1, 4), float(scene))).mean().item())
    if world_size > 1:
        dist.barrier()
    return sum(scores) / max(len(scores), 1)


def main():
    dist.init_process_group("gloo")
    global_rank = dist.get_rank()
    world_size = dist.get_world_size()
    model = nn.Linear(4, 2)
    ddp = DDP(model)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
    for epoch in range(4):
        optimizer.zero_grad()
        ddp(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()
        if global_rank == 0:
            torch.save(model.state_dict(), "latest.pth")
        if epoch % 2 == 1:
            score = closed_loop_validate(model, global_rank, world_size)
            print(epoch, score)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
