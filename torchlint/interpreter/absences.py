"""Absences: attributes that an object of the project is asked for, and does not have."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter.events.classes import Absent
from torchlint.interpreter.values import TRUE, Instance, Opaque, Ref
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds, names

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_MODULE = frozenset({"torch.nn.Module"})
_CHANGED = "@changed"
# What tells objects apart by what they are: the others are not asked.
_TELLING = ("hasattr(", "isinstance(", "issubclass(", "type(", "__class__", "__name__", "dir(")


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
    if "NotImplementedError" in cls.region.source:
        return  # What is still to be written may give it.
    asked = spot.node.value if isinstance(spot.node, ast.Attribute) else spot.node
    if machine.index.externals(cls) != _MODULE or _held(machine, asked) != owner:
        return
    if not _is_guarded(spot, name):
        machine.emit(Absent, spot, family=machine.index.family(cls), name=name)


def called(machine: Machine, owner: Value, callee: Value, node: ast.Call) -> None:
    """What is called for what it does may be a method that an object has from out of sight.

    What is computed with the result is rather done by a model, which changes nothing else.
    """
    if node is not machine.statement:
        return
    record, found = machine.peek(owner), machine.peek(callee)
    if not isinstance(record, Instance):
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else None
    given = isinstance(found, Opaque) and found.name == name and not found.argument
    if given and _is_open(machine, record.cls):
        machine.escape([owner])


def _is_open(machine: Machine, cls: Definition | str) -> bool:
    """Whether objects of a class have methods that are nowhere in sight; modules step nowhere."""
    if isinstance(cls, str) or kinds.may_be_module(machine.index, cls):
        return False
    return not all(map(names.is_external, machine.index.externals(cls)))


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
    source = spot.region.source
    if f'"{name}"' in source or any(word in source for word in _TELLING):
        return True
    parents, node = spot.region.parents, spot.node
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    while node in parents and not isinstance(node, (ast.FunctionDef, ast.Lambda)):
        node = parents[node]
        if isinstance(node, ast.Try) and node.handlers:
            return True
    return any(_decides_by(inner, names) for inner in ast.walk(node))


def _decides_by(node: ast.AST, names: set[str]) -> bool:
    """Whether what is done next is up to what something else says of one of these."""
    if not isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert, ast.comprehension)):
        return False
    tests = node.ifs if isinstance(node, ast.comprehension) else [node.test]
    inner = [part for test in tests for part in ast.walk(test)]
    given = [given for call in inner if isinstance(call, ast.Call) for given in call.args]
    return any(isinstance(value, ast.Name) and value.id in names for value in given)
