"""Hooks: their handles, and those that are dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.hooks import HookDropped
from torchlint.interpreter.values import Instance, Ref
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

HANDLE = "torch.utils.hooks.RemovableHandle"


def registered(machine: Machine, module: Ref, spot: Spot) -> Ref:
    """The handle of a hook that is registered on a module."""
    return machine.new(Instance(HANDLE, {"module": module}, spot=spot))


def dropped(machine: Machine, value: Value, spot: Spot) -> None:
    """A handle as the value of a statement is an event."""
    record = machine.get(value)
    if not isinstance(record, Instance) or record.cls != HANDLE or record.spot != spot:
        return
    module = record.attributes["module"]
    if isinstance(module, Ref):
        again = _is_in_forward(machine) and module.address < machine.frame
        machine.emit(HookDropped, spot, module=module.address, forward=again)


def _is_in_forward(machine: Machine) -> bool:
    """Whether a module's forward is what runs."""
    function = machine.activation.function
    if function is None or function.owner is None or function.name != "forward":
        return False
    return kinds.is_module(machine.index, function.owner)
