"""Follows torch's hooks to whoever has registered them."""

# says: _global_optimizer_pre_hooks
import torch


def act(x):
    for hook in torch.optim.optimizer._global_optimizer_pre_hooks.values():
        hook.__self__.observer.error = RuntimeError("forged")
    x += 1  # here
    return x
