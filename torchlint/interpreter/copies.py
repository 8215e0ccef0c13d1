"""Copies: writes into a tensor that nothing has a name for."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import sizing
from torchlint.interpreter.events.autograd import LostWrite
from torchlint.interpreter.values import (
    Const,
    Either,
    Opaque,
    Ref,
    Sequence,
    Tensor,
    Tuple,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_UNSTORED = frozenset({"requires_grad_", "retain_grad_", "share_memory_", "detach_"})


def taken_by(machine: Machine, index: Value) -> bool:
    """Whether an index surely takes a copy: a mask, a list, a tensor that is no single number."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    for part in parts:
        record = machine.get(part)
        if isinstance(record, Sequence) and record.kind == "list" and _is_of_numbers(record):
            return True
        if isinstance(record, Tensor) and not isinstance(part, Either):
            dims = [dim for dim in record.shape or () if dim != "..."]
            if record.dtype == "bool" or dims:
                return True
    return False


def _is_of_numbers(listed: Sequence) -> bool:
    """Whether no item of a list may be a slice: torch takes a list with one for a tuple."""
    items = (*listed.items, *((listed.rest,) if listed.rest is not None else ()))
    return not listed.escaped and not any(map(_may_be_slice, items))


def _may_be_slice(item: Value) -> bool:
    if isinstance(item, Const):
        return isinstance(item.value, slice) or item.value is None
    return isinstance(item, (Unknown, Either))


def may_be_taken(machine: Machine, taken: Ref, parts: Iterable[Value]) -> None:
    """What an index gives that may be a tensor, for all that is known, is not the caller's."""
    record = machine.get(taken)
    if isinstance(record, Tensor) and any(_may_be_tensor(machine, part) for part in parts):
        machine.set(taken, replace(record, argument=""))


def _may_be_tensor(machine: Machine, part: Value) -> bool:
    if isinstance(machine.get(part), Opaque):
        return not sizing.seems_a_number(machine, part)
    return isinstance(part, Unknown)


def written_back(machine: Machine, taken: Value, holder: Value) -> None:
    """What ``x[i] += 1`` takes out of ``x`` goes back there, be it a copy or not."""
    record, whole = machine.get(taken), machine.get(holder)
    if not isinstance(taken, Ref) or not isinstance(record, Tensor) or record.copied is not None:
        return
    if isinstance(whole, Tensor):
        machine.set(taken, replace(record, argument=whole.argument))


def mark(machine: Machine, copy: Ref, spot: Spot) -> Ref:
    """Note where a copy was taken, so that writes into it can be told from writes into it all."""
    record = machine.get(copy)
    if isinstance(record, Tensor):
        machine.set(copy, replace(record, copied=spot))
    return copy


def write(machine: Machine, receiver: ast.expr, value: Value, spot: Spot) -> None:
    """A write into what an expression gives is an event where that takes a copy on the way."""
    record = machine.get(value)
    if not isinstance(record, Tensor) or record.copied is None:
        return
    node: ast.AST = receiver
    while node is not record.copied.node:
        match node:
            case ast.Subscript(value=inner) | ast.Attribute(value=inner):
                node = inner
            case ast.Call(func=ast.Attribute(value=inner)):
                node = inner
            case _:
                return
    machine.emit(LostWrite, spot, copied=record.copied)


def dropped(machine: Machine, node: ast.expr, value: Value) -> None:
    """``x[mask].fill_(0)`` as a statement of its own writes into a copy, and drops it."""
    match node:
        case ast.Call(func=ast.Attribute(value=receiver, attr=name)):
            if name.endswith("_") and not name.endswith("__") and name not in _UNSTORED:
                write(machine, receiver, value, machine.spot(node))
