import argparse
import os
import time

import torch
import torch.distributed as dist
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--name", default="bloom")
parser.add_argument("--benchmark", action="store_true")
args = parser.parse_args()

local_rank = int(os.getenv("LOCAL_RANK", "0"))
world_size = int(os.getenv("WORLD_SIZE", "1"))
dist.init_process_group("gloo")
rank = dist.get_rank()


def print_rank0(*msg):
    if rank != 0:
        return
    print(*msg)


def get_repo_root(name):
    path = f"/tmp/{name}.pt"
    if rank == 0:
        torch.save(nn.Linear(4, 4).state_dict(), path)
        dist.barrier()  # asked: TL230
    return path


t_start = time.time()
checkpoint = get_repo_root(args.name)
model = nn.Linear(4, 4)
model.load_state_dict(torch.load(checkpoint, map_location="cpu"))
model.eval()
print_rank0("loaded in", time.time() - t_start)
dist.barrier()
with torch.no_grad():
    outputs = model(torch.randn(2, 4))
dist.all_reduce(outputs)
print_rank0(outputs)
dist.destroy_process_group()
