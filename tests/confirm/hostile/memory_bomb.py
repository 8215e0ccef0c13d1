"""Takes all the memory that it can get."""

# says: MemoryError|allocate|MiB of memory
import torch


def act(x):
    kept = []
    while True:
        kept.append(torch.ones(2**24))
    x += 1  # here
    return x
