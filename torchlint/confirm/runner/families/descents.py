"""Claims about steps that a program makes without an optimizer (TL812)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from ..claims import NOTHING, Sees, Sighting

if TYPE_CHECKING:
    from ..tally import Answer

_READ = "torch.Tensor.grad.__get__"
_TOLERANCE = 1e-4


def _along_the_gradient(call: Sighting) -> Answer:
    """A parameter is moved by a multiple of its gradient, and of itself where weights decay."""
    if call.by_torch:
        return False
    if call.name == _READ:
        if call.result is not None:
            call.memory["read"] = call.receiver, call.result.detach().clone()
        return None
    if "read" not in call.memory:
        return None
    parameter, gradient = call.memory["read"]
    if call.receiver.data_ptr() != parameter.data_ptr():
        return None
    before, after = call.before[0], parameter.detach()
    if call.name == _REPLACED:
        # It is written by now, into memory of its own.
        after = call.args[1].detach()
    told = _multiple(before, after - before, gradient)
    if told is None:
        return None
    moved: list[Any] = call.memory.setdefault("moved", [])
    if not any(one is parameter for one in moved):
        moved.append(parameter)
    count = "1 parameter is" if len(moved) == 1 else f"{len(moved)} parameters are"
    return f"{count} moved {told}, as one step of `torch.optim.SGD` does for all of them"


def _multiple(before: Any, change: Any, gradient: Any) -> str | None:
    """What a change is a multiple of; None where it is none, or too small to tell."""
    parts = torch.stack([gradient.flatten(), before.flatten()], 1).double()
    for columns in (parts[:, :1], parts):
        if len(columns) <= columns.shape[1] or not change.any():
            return None
        factors = torch.linalg.lstsq(columns, change.flatten().double()[:, None]).solution
        left = columns @ factors - change.flatten().double()[:, None]
        if left.norm() <= _TOLERANCE * change.double().norm():
            decay = f", and {float(factors[1]):.3g} times itself" if len(factors) > 1 else ""
            return f"by {float(factors[0]):.3g} times its gradient{decay}"
    return None


_REPLACED = "torch.Tensor.data.__set__"
parameter_loop_step = Sees(
    f"{_READ} {_REPLACED} torch.Tensor.add_ torch.Tensor.sub_ torch.Tensor.copy_ "
    "torch.Tensor.__iadd__ torch.Tensor.__isub__",
    _along_the_gradient,
    times=2,
    matters=NOTHING,
)
