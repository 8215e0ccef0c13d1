"""Positions: tables of a module that are cut to the length of what they are added to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import forwards, shapes
from torchlint.interpreter.events.sequences import Positioned
from torchlint.interpreter.values import Ref, Tensor
from torchlint.torch_api.registry import watch

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Applied


@watch("add", "iadd", "radd")
def _added(applied: Applied) -> None:
    if any(_is_cut_table(applied.machine, value) for value in applied.inputs.values()):
        applied.machine.emit(Positioned, applied.spot)


def _is_cut_table(machine: Machine, value: Value) -> bool:
    """Whether something is a part of a tensor that the module has, one for all of a batch."""
    record, forward = machine.get(value), forwards.running(machine)
    if forward is None or not isinstance(value, Ref) or not isinstance(record, Tensor):
        return False
    if value.address < forward.frame or not record.storages:
        return False
    one, steps = (shapes.size(record.shape, at) for at in (0, 1))
    stored = max(record.storages) < forward.frame
    return stored and shapes.rank(record.shape) == 3 and one == 1 and steps != 1
