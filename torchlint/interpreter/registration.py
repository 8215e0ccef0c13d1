"""Registration: what a module takes for its own, and when it can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.classes import AssignedTooEarly
from torchlint.interpreter.values import Instance, Node, Ref, Tensor
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def created(machine: Machine, instance: Ref, definition: Definition) -> None:
    """An object of a class of the project is there, and no constructor has run yet."""
    family = machine.index.family(definition)
    if kinds.is_module(machine.index, definition) and not family.is_magic:
        machine.live.raw |= {instance.address}


def begun(machine: Machine, instance: Value) -> None:
    """The constructor of ``nn.Module`` has run, or is beyond what is asked of the object."""
    if isinstance(instance, Ref):
        machine.live.raw -= {instance.address}


def assigned(machine: Machine, owner: Ref, name: str, value: Value, spot: Spot) -> None:
    """A module gets an attribute: before its constructor has run it cannot register any."""
    if owner.address not in machine.live.raw:
        return
    record = machine.get(owner)
    what = _registered(machine, value)
    if not what or not isinstance(record, Instance) or not isinstance(record.cls, Definition):
        return
    begun(machine, owner)
    if not record.escaped:
        alone = _is_alone(machine, record.cls)
        machine.emit(AssignedTooEarly, spot, cls=record.cls, name=name, what=what, alone=alone)


def _is_alone(machine: Machine, definition: Definition) -> bool:
    """Whether a class derives from ``nn.Module`` and has no other constructor than its own."""
    family = machine.index.family(definition)
    return family.externals == {"torch.nn.Module"} and not any(
        "__init__" in base.members for base in family.lineage[1:]
    )


def _registered(machine: Machine, value: Value) -> str:
    """What a module would register a value as; nothing for what it would not, or may not."""
    match machine.get(value):
        case Instance(cls=cls) if kinds.is_module(machine.index, cls):
            return "module"
        case Tensor(leaf=True, node=Node(op="parameter")):
            return "parameter"
    return ""
