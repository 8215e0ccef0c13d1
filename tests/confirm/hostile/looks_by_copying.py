"""Copies a function that has been put in place of torch's, as its own may be copied."""

# says: names `__closure__`
import types

import torch


def copied(function):
    closure = function.__closure__
    return types.FunctionType(function.__code__, function.__globals__, "copy", None, closure)


def act(x):
    assert copied(copied)(act) is not act
    copied(torch.optim.Optimizer.__init__)
    x += 1  # here
    return x
