"""Schedules of other packages, which are schedulers of torch's that have been given a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import opaque, schedulers
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import Const
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value

_KIND = "torch.optim.lr_scheduler.LambdaLR"

_SCHEDULES = (
    *("constant_schedule", "constant_schedule_with_warmup", "linear_schedule_with_warmup"),
    *("cosine_schedule_with_warmup", "cosine_with_hard_restarts_schedule_with_warmup"),
    *("polynomial_decay_schedule_with_warmup", "inverse_sqrt_schedule"),
)
_PACKAGES = ("transformers", "transformers.optimization", "diffusers.optimization")


@function(*(f"{package}.get_{name}" for package in _PACKAGES for name in _SCHEDULES))
def _schedule(call: Call) -> Value:
    return _of(call, call.get("optimizer", 0))


@function(*(f"{package}.get_scheduler" for package in _PACKAGES))
def _by_name(call: Call) -> Value:
    """One of them, or the one of torch's own that is told a metric."""
    match call.get("name", 0):
        case Const(value=str(name)) if "plateau" not in name:
            return _of(call, call.get("optimizer", 1))
    return opaque.result(call.machine, call.arguments, call.spot)


def _of(call: Call, optimizer: Value | None) -> Value:
    if optimizer is None:
        return opaque.result(call.machine, call.arguments, call.spot)
    return schedulers.build(call.machine, _KIND, Arguments((optimizer,)), call.spot)
