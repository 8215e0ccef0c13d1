"""Edging: which edge an operation leaves its result's values at, by rules that others declare.

An operation without a rule may have led the values away, as an added epsilon does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import edges
from torchlint.interpreter.edges import EdgeKind
from torchlint.interpreter.values import NONE, Const, Ref, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.edges import Edge
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Spread, Value

    Rule = Callable[[Operation], Edge | None]

_SECOND = ("other", "mat2", "x2", "exponent", "mask", "diagonal")
"""What the second operand is called."""

RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Declare the edge of what these operations give, by their plain names."""

    def declare(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return declare


def result(operation: Operation) -> Edge | None:
    """The edge of an operation's result; None where nothing is known of it."""
    found = RULES.get(operation.name)
    known = found(operation) if found is not None else None
    return known if known is not None else _table(operation)


_TABLES = frozenset({EdgeKind.TABLE, EdgeKind.INDICES, EdgeKind.ONES, EdgeKind.TRIANGLE})
"""The kinds of what no data has had a part in."""


def is_table(operation: Operation) -> bool:
    """Whether an operation is applied to what settings decide, and surely to no other tensor."""
    machine = operation.machine
    found = [
        record
        for value in operation.inputs.values()
        if isinstance(value, Ref)
        and value.address not in machine.trace.taken
        and isinstance(record := machine.get(value), Tensor)
    ]
    return bool(found) and all(
        record.edge is not None and record.edge.kind in _TABLES for record in found
    )


def _table(operation: Operation) -> Edge | None:
    return brings(operation, EdgeKind.TABLE) if is_table(operation) else None


def second(operation: Operation) -> Value | None:
    """The second operand, whatever it is called."""
    return next((operation.inputs[name] for name in _SECOND if name in operation.inputs), None)


def number(value: Value | None) -> float | None:
    """The number that a value is."""
    match value:
        case Const(value=bool() | int() | float() as known):
            return float(known)
    return None


def tensor(operation: Operation, value: Value | None) -> Tensor | None:
    """The facts of an operand, where it is a tensor."""
    record = operation.machine.get(value) if value is not None else None
    return record if isinstance(record, Tensor) else None


def edge(operation: Operation, value: Value | None) -> Edge | None:
    """The edge of an operand."""
    record = tensor(operation, value)
    return record.edge if record is not None else None


def given(operation: Operation) -> Edge | None:
    """The edge of what the operation is applied to."""
    return edge(operation, operation.inputs.get("input"))


def other(operation: Operation) -> Edge | None:
    """The edge of the second operand."""
    return edge(operation, second(operation))


def brings(operation: Operation, kind: EdgeKind, *detail: object) -> Edge:
    """An edge that this operation brings about."""
    return edges.made(operation.label, kind, operation.spot, *detail)


def operands(operation: Operation) -> tuple[Tensor | None, Tensor | None]:
    """The first two operands, where they are tensors."""
    first = tensor(operation, operation.inputs.get("input"))
    return first, tensor(operation, second(operation))


def same_spread(operation: Operation) -> bool:
    """Whether two operands are one tensor, put along different dimensions."""
    found = []
    for operand, value in zip(
        operands(operation), (operation.inputs.get("input"), second(operation)), strict=True
    ):
        if operand is None or not isinstance(value, Ref):
            return False
        found.append(operand.spread or (value.address, ()))
    (base, way), (other_base, other_way) = found
    return base == other_base and way != other_way


_AS_THEY_ARE = frozenset("expand expand_as contiguous float double half to type_as".split())
_TRANSPOSED = frozenset("t T mT transpose adjoint swapaxes permute".split())
_SPREADING = _AS_THEY_ARE | _TRANSPOSED | {"unsqueeze", "rows", "select"}


def spread(operation: Operation) -> Spread | None:
    """Of which tensor a view is, and along which dimensions it was put."""
    if operation.name not in _SPREADING:
        return None
    value = operation.inputs.get("input")
    viewed = tensor(operation, value)
    if viewed is None or not isinstance(value, Ref):
        return None
    base, ways = viewed.spread or (value.address, ())
    if operation.name in _AS_THEY_ARE:
        return viewed.spread
    if operation.name in _TRANSPOSED:
        return base, (*ways, "T")
    if operation.name == "unsqueeze":
        way = number(operation.inputs.get("dim"))
        return (base, (*ways, int(way))) if way is not None else None
    index = operation.inputs.get("index")
    parts = index.items if isinstance(index, Tuple) else (index,)
    added = [place for place, part in enumerate(parts) if part == NONE]
    others = [part for part in parts if part != NONE]
    if not added or not all(_is_whole(part) for part in others):
        return None
    return base, (*ways, *added)


def is_from_start(operation: Operation) -> bool:
    """Whether a part holds what comes first in what it is taken from."""
    index = operation.inputs.get("index")
    parts = index.items if isinstance(index, Tuple) else (index,)
    return all(part == NONE or _is_first(part) for part in parts)


def _is_first(part: Value | None) -> bool:
    """Whether an index takes the first of a dimension, with others."""
    if isinstance(part, Const) and isinstance(part.value, slice):
        return part.value.start in {None, 0} and part.value.step is None
    return _is_whole(part)


def _is_whole(part: Value | None) -> bool:
    """Whether an index takes a whole dimension."""
    return isinstance(part, Const) and (part.value is ... or isinstance(part.value, slice))
