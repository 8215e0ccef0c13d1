"""Unpacking: how many values there are, and how many names they are given to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import dimensions, facts, names, syntax
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.ranges import Operation
from torchlint.interpreter.shaping import Mismatch, Why
from torchlint.interpreter.values import UNKNOWN, Const, Ref, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_PARTS = frozenset({"split", "chunk", "unbind", "tensor_split"})

BY = "targets"
"""What wants so many values as there are names."""


def checked(machine: Machine, elements: Sequence[ast.expr], value: Value, spot: Spot) -> None:
    """Note that a tensor, its sizes or its parts are unpacked into more or fewer names."""
    if any(isinstance(element, ast.Starred) for element in elements):
        return
    node = spot.node.value if isinstance(spot.node, ast.Assign) else spot.node
    found = _counted(machine, value, node)
    if found is None:
        return
    op, tensor, given = found
    wanted = len(elements)
    if not dimensions.differ(given, wanted):
        return
    record = machine.get(tensor)
    shape = record.shape if isinstance(record, Tensor) else None
    mismatch = Mismatch(Why.COUNT, "input", shape, wanted, given, by=BY)
    facts.refused(Operation(machine, op, {"input": tensor}, spot, op), mismatch)
    if isinstance(value, Tuple):
        _forget(machine, tensor, shape)


def _forget(machine: Machine, tensor: Value, shape: Shape | None) -> None:
    """A function that is handed too few dimensions, or too many, has ended there.

    What it would do with them is no mistake of its own; what else came in that form is no better.
    """
    function = machine.activation.function
    if function is None:
        return
    parameters = {each.arg for each in syntax.positional(function.node)}
    for name, value in machine.variables().names.items():
        record = machine.get(value)
        if not isinstance(record, Tensor) or record.shape != shape:
            continue
        if isinstance(value, Ref) and (value == tensor or name in parameters):
            machine.set(value, replace(record, shape=None))


def loosen(machine: Machine, value: Value, items: Sequence[Value]) -> Sequence[Value]:
    """What there is for a few names of which there are not as many as there are values.

    Of a tensor with a row for each of many, a few names are hardly meant for rows of it. What is
    unpacked is rather several results that are not seen. More or fewer sizes are for no name, nor
    is a single value of whatever kind for one of several, and one of a model's parameters that is
    taken for a pair, with its name, is none.
    """
    if isinstance(value, Tuple):
        plain = all(isinstance(each, (Const, Number)) for each in value.items)
        if plain or len(value.items) == 1:
            return [UNKNOWN for _ in items]
    record = machine.get(value)
    if not isinstance(record, Tensor):
        return items
    shape, node = record.shape, record.node
    if shape is None and record.leaf and node is not None and node.op == "parameter":
        return [UNKNOWN for _ in items]
    if not shape or isinstance(shape[0], int):
        return items
    for item in items:
        row = machine.get(item)
        if isinstance(row, Tensor):
            machine.set(item, replace(row, shape=None))
    return items


def apart(machine: Machine, items: Sequence[Value]) -> list[Value]:
    """The same value for several names is there as many times: what is told of one stays with it.

    It has stood for any of many.
    """
    return [
        machine.new(record)
        if item in items[:at] and isinstance(record := machine.get(item), Tensor)
        else item
        for at, item in enumerate(items)
    ]


def _counted(machine: Machine, value: Value, node: ast.AST) -> tuple[str, Value, Dim] | None:
    """What is unpacked, of which tensor, and how many values it gives."""
    record = machine.get(value)
    if isinstance(record, Tensor):
        length = record.shape[0] if record.shape else None
        return (_part(node) or "unpacking", value, length) if isinstance(length, int) else None
    if not isinstance(value, Tuple):
        return None
    match node:
        case ast.Attribute(value=inner, attr="shape") as sized:
            return _of(machine, inner, sized.attr, value)
        case ast.Call(func=ast.Attribute(value=inner, attr="size"), args=[], keywords=[]):
            return _of(machine, inner, "size", value)
    op = _part(node)
    return (op, value.items[0], len(value.items)) if op and value.items else None


def _part(node: ast.AST) -> str:
    """The operation that takes a tensor apart; empty for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in _PARTS:
            return attr
    return ""


def _of(machine: Machine, node: ast.expr, op: str, sizes: Tuple) -> tuple[str, Value, Dim] | None:
    """The tensor that sizes are asked of, if it is a variable."""
    if not isinstance(node, ast.Name):
        return None
    tensor = names.lookup(machine, node.id)
    is_tensor = isinstance(machine.get(tensor), Tensor)
    return (op, tensor, len(sizes.items)) if is_tensor else None
