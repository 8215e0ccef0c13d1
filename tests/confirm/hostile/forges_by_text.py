"""Runs a text that is only put together as it runs."""

# says: __self__
import torch


def act(x):
    exec("".join(["for hook in ():\n    hook.__se", "lf__.observer.error = ValueError()"]))
    x += torch.ones(()) - 1  # here
    return x
