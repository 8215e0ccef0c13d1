"""Hooks: their handles, and those that are dropped."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import always
from torchlint.interpreter.events.hooks import HookDropped
from torchlint.interpreter.values import Instance, Ref
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

HANDLE = "torch.utils.hooks.RemovableHandle"
REGISTERING = (
    "register_forward_hook",
    "register_forward_pre_hook",
    "register_full_backward_hook",
    "register_full_backward_pre_hook",
)
"""Methods of modules that no other thing has, and that leave one more hook on it."""


def registered(machine: Machine, module: Ref, spot: Spot) -> Ref:
    """The handle of a hook that is registered on a module."""
    return machine.new(Instance(HANDLE, {"module": module}, spot=spot))


def any_on(machine: Machine, module: Ref) -> bool:
    """Whether a hook has been registered on a module."""
    records = (each for each in machine.live.heap.values() if isinstance(each, Instance))
    return any(each.cls == HANDLE and each.attributes["module"] == module for each in records)


def dropped(machine: Machine, value: Value, spot: Spot) -> None:
    """A handle as the value of a statement is an event, where it is dropped time and again."""
    record = machine.get(value)
    if not isinstance(record, Instance) or record.cls != HANDLE:
        return
    if record.spot != spot and not _is_only_returned(record.spot):
        return
    module = record.attributes["module"]
    if isinstance(module, Ref):
        older = module.address < machine.frame
        forward = _is_in_forward(machine) and older and always.in_every_call(machine)
        # Which kind of layer it is decides alike in every round.
        decided = bool(machine.rounds) and not machine.activation.undecided
        if forward or always.in_every_round(machine) or (decided and not always.is_left(machine)):
            machine.emit(HookDropped, spot, module=module.address, forward=forward)


def _is_only_returned(made: Spot | None) -> bool:
    """Whether a function gives what it makes here to its caller, and to nobody else."""
    return made is not None and isinstance(made.region.parents.get(made.node), ast.Return)


def _is_in_forward(machine: Machine) -> bool:
    """Whether a module's forward is what runs."""
    function = machine.activation.function
    if function is None or function.owner is None or function.name != "forward":
        return False
    return kinds.is_module(machine.index, function.owner)
