"""Namespaces: what an object has, by names that only the running program knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.values import NONE, Const, Instance, Tuple
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Ref, Value

NAMESPACE = "builtins.object.__dict__"
_PLAIN = (Const, Number, Tuple)


def of(machine: Machine, owner: Value) -> Ref | None:
    """The attributes of an object of the project as a dictionary; those of modules are layers."""
    return machine.new(Instance(NAMESPACE, {"of": owner})) if _holds(machine, owner) else None


def told(machine: Machine, owner: Value) -> None:
    """An object is told values by such names: settings are no longer what they are by default."""
    record = machine.get(owner)
    if not isinstance(record, Instance) or not _holds(machine, owner):
        return
    given = {
        name: machine.opaque(name)
        for name, value in (_by_class(machine, record) | record.attributes).items()
        if isinstance(value, _PLAIN)
    }
    machine.set(owner, replace(record, attributes={**record.attributes, **given}))


def replaced(machine: Machine, owner: Value, name: str) -> None:
    """An attribute is set; where that is the dictionary of them all, any may be another."""
    if name == "__dict__":
        told(machine, owner)


def _by_class(machine: Machine, record: Instance) -> dict[str, Value]:
    """What the body of its class assigns, as if all of that was plain."""
    assert isinstance(record.cls, Definition)
    lineage = machine.index.ancestors(record.cls)
    classes = [each for each in lineage if isinstance(each, Definition)]
    return dict.fromkeys((name for cls in classes for name in cls.assignments), NONE)


def _holds(machine: Machine, owner: Value) -> bool:
    record = machine.peek(owner)
    return (
        isinstance(record, Instance)
        and isinstance(record.cls, Definition)
        and not kinds.is_module(machine.index, record.cls)
    )
