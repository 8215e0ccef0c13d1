"""Initialisation: what functions of ``nn.init`` are given, and by which names they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.layers import Initialised
from torchlint.interpreter.values import Tensor
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    from torchlint.torch_api.registry import Call

_NAMES = (
    "uniform normal constant eye dirac xavier_uniform xavier_normal kaiming_uniform "
    "kaiming_normal orthogonal sparse"
).split()


@hear("function", *(f"torch.nn.init.{name}" for name in _NAMES))
@hear(
    "function", *(f"torch.nn.init.{name}_" for name in (*_NAMES, "zeros", "ones", "trunc_normal"))
)
def _initialise(call: Call) -> None:
    tensor = call.get("tensor", 0)
    record = call.machine.get(tensor) if tensor is not None else None
    copied = record.copied if isinstance(record, Tensor) else None
    name = call.name.rpartition(".")[2]
    call.machine.emit(Initialised, call.spot, name=name, copied=copied)
