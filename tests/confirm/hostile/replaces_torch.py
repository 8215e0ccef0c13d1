"""Replaces functions of torch that observers rest on."""

# says: replaces `torch
import torch


def backward(*args, **kwargs):
    raise RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace "
        "operation"
    )


torch.autograd.backward = backward
torch.Tensor.backward = backward


def act(x):
    x = torch.sigmoid(x)
    x += 1  # here
    return x
