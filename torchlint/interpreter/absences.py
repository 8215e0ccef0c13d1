"""Absences: attributes that an object of the project is asked for, and does not have."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter.events.classes import Absent
from torchlint.interpreter.values import TRUE, Instance, Ref
from torchlint.project.outline import Definition

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_MODULE = frozenset({"torch.nn.Module"})
_CHANGED = "@changed"


def changed(machine: Machine, *values: Value | None) -> None:
    """Modules have become objects of another class, or been wrapped in one."""
    for value in values:
        record = machine.peek(value) if isinstance(value, Ref) else None
        if isinstance(value, Ref) and isinstance(record, Instance):
            attributes = {**record.attributes, _CHANGED: TRUE}
            machine.set(value, replace(record, attributes=attributes))


def noted(machine: Machine, owner: Value, instance: Instance, name: str, spot: Spot) -> None:
    """A module that the program has built is asked for something that nothing has given it."""
    cls = instance.cls
    if not isinstance(cls, Definition) or instance.spot is None or instance.escaped:
        return
    if machine.choices or owner == machine.activation.receiver or _CHANGED in instance.attributes:
        return
    asked = spot.node.value if isinstance(spot.node, ast.Attribute) else spot.node
    if machine.index.externals(cls) != _MODULE or _held(machine, asked) != owner:
        return
    if not _is_guarded(spot, name):
        machine.emit(Absent, spot, family=machine.index.family(cls), name=name)


def _held(machine: Machine, node: ast.AST) -> Value | None:
    """What is known by a name, or as an attribute of that: one of several is not the one."""
    match node:
        case ast.Name(id=name):
            return machine.variables().names.get(name)
        case ast.Attribute(value=inner, attr=attr):
            holder = _held(machine, inner)
            record = machine.peek(holder) if holder is not None else None
            return record.attributes.get(attr) if isinstance(record, Instance) else None
    return None


def _is_guarded(spot: Spot, name: str) -> bool:
    """Whether whoever asks is prepared for there being nothing."""
    if "hasattr(" in spot.region.source or f'"{name}"' in spot.region.source:
        return True
    node: ast.AST | None = spot.node
    while node is not None:
        node = spot.region.parents.get(node)
        if isinstance(node, ast.Try) and node.handlers:
            return True
    return False
