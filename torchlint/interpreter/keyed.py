"""Dictionaries that were taken for a tensor, until they are asked for what has a name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import names, syntax, tensors
from torchlint.interpreter.values import Const, Opaque, Ref, Storage, Tensor
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

METHODS = frozenset({"items", "keys", "update", "setdefault"})
"""Methods that dictionaries have, and tensors have not."""

_NAME = Pattern(r"(?:^|_)(?:name|key)$")
"""What keys are called, where no more is known of them."""


def shown(machine: Machine, owner: Value) -> None:
    """What is done with a value shows that it is a dictionary."""
    if isinstance(owner, Ref):
        machine.trace.keyed.add(owner.address)


def walked(machine: Machine, owner: Value, loop: ast.For | ast.AsyncFor) -> None:
    """A loop that looks up in what it is over what it has taken from there goes through keys."""
    record, over = machine.get(owner), names.dotted(loop.iter)
    if not isinstance(record, Tensor) or record.dtype is not None or not over:
        return
    for part in syntax.walk(loop):
        match loop.target, part:
            case ast.Name(id=taken), ast.Subscript(value=holder, slice=ast.Name(id=key)):
                if taken == key and names.dotted(holder) == over:
                    shown(machine, owner)


def has(machine: Machine, owner: Value, index: Value) -> bool:
    """Whether what was taken for a tensor is a dictionary, in which a key stands for a value."""
    if is_name(machine, index):
        shown(machine, owner)
    return isinstance(owner, Ref) and owner.address in machine.trace.keyed


def is_name(machine: Machine, index: Value) -> bool:
    """Whether an index is a string, or is called what strings are that name an entry."""
    if isinstance(index, Const):
        return isinstance(index.value, str)
    record = machine.peek(index)
    return isinstance(record, Opaque) and _NAME.search(record.name) is not None


def taken(machine: Machine, owner: Value, index: Value, spot: Spot) -> Value:
    """The value of ``owner[index]``, where the owner was taken for a tensor."""
    if has(machine, owner, index):
        return item(machine, owner, spot)
    return tensors.indexed(machine, owner, index, spot)


def put(machine: Machine, owner: Value, value: Value) -> None:
    """Put something under a key: what else the dictionary has may be there by now as well."""
    match machine.get(owner), machine.peek(value):
        case Tensor() as held, Tensor() as stored if stored.device != held.device:
            assert isinstance(owner, Ref)
            machine.set(owner, replace(held, device=None))
    machine.escape([value])


def item(machine: Machine, owner: Value, spot: Spot) -> Ref:
    """What stands under some key: a tensor of the same origin, with memory of its own."""
    found = tensors.view(machine, owner, "item", spot)
    record = machine.get(found)
    assert isinstance(record, Tensor)
    memory = machine.new(Storage())
    machine.set(found, replace(record, storages=frozenset({memory.address})))
    return found
