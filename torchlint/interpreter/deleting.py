"""Deletions: names, attributes and items that are no more."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import expressions, parts, sizing
from torchlint.interpreter.openness import OPEN
from torchlint.interpreter.values import (
    UNKNOWN,
    Const,
    Instance,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    options_of,
)
from torchlint.torch_api import modules

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


_REGISTERS = frozenset({"_parameters", "_buffers", "_modules"})


def delete(machine: Machine, target: ast.expr) -> None:
    """Carry out ``del target``."""
    match target:
        case ast.Name(id=name):
            frame = machine.variables()
            names = {key: value for key, value in frame.names.items() if key != name}
            machine.live.heap[machine.frame] = replace(frame, names=names)
        case ast.Attribute(value=inner, attr=name):
            owner = expressions.evaluate(machine, inner)
            attribute(machine, owner, name, machine.spot(target))
        case ast.Subscript(value=inner, slice=at):
            owner = expressions.evaluate(machine, inner)
            _item(machine, owner, expressions.evaluate(machine, at), machine.spot(target))
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            for each in targets:
                delete(machine, each)


def attribute(machine: Machine, owner: Value, name: str, spot: Spot) -> None:
    """What takes the place of an attribute is not known."""
    instance = machine.get(owner)
    if isinstance(instance, Instance):
        parts.let_go(machine, instance.attributes.get(name), spot)
        attributes = {**instance.attributes, name: UNKNOWN}
        machine.set(owner, replace(instance, attributes=attributes))


def unregistered(machine: Machine, held: Value, index: Value, spot: Spot) -> None:
    """An item is taken out of what may be one of the dictionaries in which a module registers."""
    record = machine.get(held)
    name = record.name if isinstance(record, Opaque) else ""
    if name not in _REGISTERS or not isinstance(index, Const):
        return
    for address, owner in list(machine.live.heap.items()):
        if isinstance(owner, Instance) and owner.attributes.get(name) == held:
            attribute(machine, Ref(address), str(index.value), spot)


def _item(machine: Machine, owner: Value, index: Value, spot: Spot) -> None:
    for option in options_of(owner):
        if isinstance(machine.get(option), Opaque):
            unregistered(machine, option, index, spot)
    match machine.get(owner), index:
        case Instance() as container, _ if modules.is_container(container):
            machine.set(owner, replace(container, attributes=_left(machine, container, index)))
        case Sequence(items=items, rest=None) as sequence, Const(value=int() | slice() as at):
            left = _without(list(items), at)
            machine.set(owner, sequence if left is None else replace(sequence, items=tuple(left)))
        case Sequence() as sequence, _:
            machine.set(owner, replace(sequence, last=()))
        case Mapping(items=pairs) as mapping, Const(value=key):
            kept = tuple(pair for pair in pairs if pair[0] != key)
            machine.set(owner, replace(mapping, items=kept))


def _left(machine: Machine, container: Instance, index: Value) -> dict[str, Value]:
    """The layers that are left in a container; any may be, where it is not known which is not."""
    known = modules.named_children(machine, container)
    if known is not None and isinstance(index, Const):
        if isinstance(index.value, str):
            return {key: at for key, at in container.attributes.items() if key != f"@{index.value}"}
        layers = _without(list(known.values()), index.value)
        if layers is not None and all(name.isdigit() for name in known):
            return {str(at): layer for at, layer in enumerate(layers)}
    return {OPEN: UNKNOWN}


def _without(items: list[Value], at: object) -> list[Value] | None:
    """The items but for those at a position, or in a slice; None where there is no such."""
    if isinstance(at, slice) and sizing.is_plain(at):
        del items[at]
        return items
    if isinstance(at, int) and -len(items) <= at < len(items):
        del items[at]
        return items
    return None
