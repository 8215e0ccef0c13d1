"""Asserting: what a comparison that holds tells of the shape of a tensor, and of sizes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import dimensions, expressions, names, opaque, shapes, sizing
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.values import (
    UNKNOWN,
    Const,
    Frame,
    Instance,
    Opaque,
    Ref,
    Tensor,
    Tuple,
)

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Record, Value

_LEAVING = (ast.Raise, ast.Continue)
_RANKS = frozenset({"dim", "ndimension"})


def equal(machine: Machine, left: ast.expr, right: ast.expr, *, lasting: bool) -> None:
    """Two expressions have come out equal; not ``lasting`` in what is for that case alone."""
    for subject, other in ((left, right), (right, left)):
        shaped = _shaped(machine, subject, other)
        if shaped is not None:
            _tell(machine, *shaped, lasting=lasting)
            return
    if lasting:
        _equate(machine, *(_dimension(machine, node) for node in (left, right)))


def _dimension(machine: Machine, node: ast.expr) -> Dim:
    """The size that an expression is, which does nothing but name it or compute it of others."""
    match node:
        case ast.Call(func=ast.Attribute(attr="size")):
            pass
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()]):
            pass
        case ast.Constant(value=int()):
            pass
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.BinOp():
            pass
        case _:
            return None
    return sizing.dimension(machine, expressions.evaluate(machine, node), counts=False)


_ANY = {
    (ast.NotEq, 0): True,
    (ast.Gt, 0): True,
    (ast.GtE, 1): True,
    (ast.Eq, 0): False,
    (ast.LtE, 0): False,
    (ast.Lt, 1): False,
}
"""Whether there is anything of a number, where a comparison with another one holds."""


def counted(machine: Machine, test: ast.expr, *, positive: bool) -> None:
    """A test tells of a size that there is nothing of it, or that it is more than one."""
    _nothing(machine, test, positive=positive)
    _several(machine, test, positive=positive)


def _nothing(machine: Machine, test: ast.expr, *, positive: bool) -> None:
    """A test tells of a size that there is nothing of it: its name, which is positive, is wrong."""
    match test:
        case ast.Name() | ast.Attribute():
            subject, any_if = test, True
        case ast.Compare(
            left=ast.Name() | ast.Attribute() | ast.Subscript() as subject,
            ops=[operator],
            comparators=[ast.Constant(value=int() as bound)],
        ) if (type(operator), bound) in _ANY:
            any_if = _ANY[type(operator), bound]
        case _:
            return
    if any_if is not positive:
        size = sizing.dimension(machine, expressions.evaluate(machine, subject))
        if isinstance(size, str):
            machine.live.nought |= {size}


def _several(machine: Machine, test: ast.expr, *, positive: bool) -> None:
    """A test tells of a size that it is more than one, by its number, or by the whole shape."""
    match test:
        case ast.Compare(
            left=subject, ops=[operator], comparators=[ast.Constant(value=int() as bound)]
        ) if _is_more(operator, bound, positive=positive):
            size = sizing.dimension(machine, _counting(machine, subject))
        case ast.Compare(
            left=subject, ops=[ast.Eq() | ast.NotEq() as operator], comparators=[other]
        ) if isinstance(operator, ast.NotEq) == positive:
            size = _left_over(machine, subject, other)
        case _:
            return
    if isinstance(size, str):
        machine.live.many |= {size}


def _is_more(operator: ast.cmpop, bound: int, *, positive: bool) -> bool:
    """Whether a positive number is more than one where such a comparison has come out so."""
    match operator:
        case ast.Gt() | ast.LtE():
            return bound >= 1 and isinstance(operator, ast.Gt) == positive
        case ast.GtE() | ast.Lt():
            return bound >= _TWO and isinstance(operator, ast.GtE) == positive
        case ast.Eq() | ast.NotEq():
            alike = isinstance(operator, ast.Eq) == positive
            return bound >= _TWO if alike else bound == 1
    return False


_TWO = 2


def _counting(machine: Machine, node: ast.expr) -> Value:
    """What an expression gives that may be a size."""
    match node:
        case ast.Call(func=ast.Attribute(attr="size" | "numel")):
            pass
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()]):
            pass
        case ast.Name() | ast.Attribute() | ast.Subscript():
            pass
        case _:
            return UNKNOWN
    return expressions.evaluate(machine, node)


def _left_over(machine: Machine, subject: ast.expr, other: ast.expr) -> Dim:
    """The first size of a tensor whose shape is another one than with one for that."""
    inner = _sized(subject)
    dims = _dims(machine, other) if inner is not None else None
    tensor = _tensor(machine, inner) if dims is not None and dims[:1] == (1,) else None
    record = machine.get(tensor) if isinstance(tensor, Ref) else None
    if dims is None or not isinstance(tensor, Ref) or not isinstance(record, Tensor):
        return None
    shape = record.shape
    if shape is None or not shapes.is_whole(shape) or shape[1:] != dims[1:] or None in dims:
        return None
    return sizing.dimension(machine, sizing.size(machine, Number(sizes=tensor.address), 0))


def _shaped(
    machine: Machine, subject: ast.expr, other: ast.expr
) -> tuple[Value, Shape | None] | None:
    """The tensor that a subject says something of, and its shape if that is the other side."""
    match subject:
        case ast.Attribute(value=inner, attr="ndim"):
            return _tensor(machine, inner), _ranked(other)
        case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=[]) if attr in _RANKS:
            return _tensor(machine, inner), _ranked(other)
        case ast.Call(func=ast.Name(id="len"), args=[sizes]) if _sized(sizes) is not None:
            return _tensor(machine, _sized(sizes)), _ranked(other)
        case ast.Subscript(value=sizes, slice=ast.Slice() as part) if _sized(sizes) is not None:
            dims = _dims(machine, other)
            return _tensor(machine, _sized(sizes)), _placed(dims, part)
    inner_whole = _sized(subject)
    if inner_whole is not None:
        return _tensor(machine, inner_whole), _dims(machine, other)
    return None


def _sized(node: ast.expr | None) -> ast.expr | None:
    """What all sizes are asked of, by ``x.shape`` or ``x.size()``."""
    match node:
        case ast.Attribute(value=inner, attr="shape"):
            return inner
        case ast.Call(func=ast.Attribute(value=inner, attr="size"), args=[], keywords=[]):
            return inner
    return None


def _tensor(machine: Machine, node: ast.expr | None) -> Value:
    """The tensor that an expression names; what a forward is given is one from then on."""
    if node is None or not names.dotted(node):
        return Const(None)
    value = expressions.evaluate(machine, node)
    opaque.taken(machine, value)
    return value


def _ranked(node: ast.expr) -> Shape | None:
    """The shape of so many dimensions."""
    match node:
        case ast.Constant(value=int() as rank) if 0 <= rank < _MOST:
            return (None,) * rank
    return None


_MOST = 8


def _dims(machine: Machine, node: ast.expr) -> Shape | None:
    """The sizes that are written out."""
    match node:
        case ast.Call(func=called, args=[inner]) if names.dotted(called).endswith("Size"):
            node = inner
    if not isinstance(node, (ast.Tuple, ast.List)) and _sized(node) is None:
        return None
    return sizing.sizes(machine, [expressions.evaluate(machine, node)], counts=False)


def _placed(dims: Shape | None, part: ast.Slice) -> Shape | None:
    """What is known of a shape of which a part has these sizes."""
    if dims is None or part.step is not None:
        return None
    match part.lower, part.upper:
        case ast.Constant(value=int() as start), None if 0 <= start < _MOST:
            return (*(None,) * start, *dims)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as left)), None:
            return (MORE, *dims) if left == len(dims) else None
        case None, ast.Constant(value=int() as end):
            return (*dims, MORE) if end == len(dims) else None
    return None


def _tell(machine: Machine, tensor: Value, shape: Shape | None, *, lasting: bool) -> None:
    """A tensor has turned out to be of a shape."""
    record = machine.get(tensor)
    if not isinstance(record, Tensor) or shape is None:
        return
    fitted = shapes.fitted(record.shape, shape)
    if isinstance(fitted, shapes.Misfit):
        # Nothing goes on from here with a tensor of another one.
        sizing.learn(machine, tensor, shape, said=True)
        return
    sizing.learn(machine, tensor, fitted, said=True)
    whole = shapes.is_whole(record.shape) and shapes.is_whole(shape)
    if lasting and whole and record.shape is not None:
        for one, other in zip(record.shape, shape, strict=True):
            _equate(machine, one, other)


def _equate(machine: Machine, one: Dim, other: Dim) -> None:
    """Two dimensions are one: where a name stands for it, the other one is put in its place."""
    if one is None or other is None or one == other:
        return
    if not isinstance(one, str):
        one, other = other, one
    if not isinstance(one, str) or one in dimensions.names_in(other):
        return
    for address, record in list(machine.live.heap.items()):
        known = _renamed(record, one, other)
        if known is not record:
            machine.live.heap[address] = known


def _renamed(record: Record, name: str, by: Dim) -> Record:
    """A record in which a name of a dimension is replaced."""
    match record:
        case Tensor(shape=tuple() as shape):
            dims = tuple(dimensions.replaced(dim, name, by) for dim in shape)
            return record if dims == shape else replace(record, shape=dims)
        case Frame(names=held):
            values = {key: _value(value, name, by) for key, value in held.items()}
            return record if values == held else replace(record, names=values)
        case Instance(attributes=held):
            values = {key: _value(value, name, by) for key, value in held.items()}
            return record if values == held else replace(record, attributes=values)
        case Opaque(dim=dim) if dim is not None:
            known = dimensions.replaced(dim, name, by)
            return record if known == dim else replace(record, dim=known)
    return record


def _value(value: Value, name: str, by: Dim) -> Value:
    match value:
        case Number(dim=dim) if dim is not None and name in dimensions.names_in(dim):
            known = dimensions.replaced(dim, name, by)
            return replace(value, dim=known) if known is not None else value
        case Tuple(items=items):
            return replace(value, items=tuple(_value(item, name, by) for item in items))
    return value


def exits(node: ast.If) -> bool:
    """Whether an ``if`` raises, or goes on to the next round, and there is nothing else to it."""
    return not node.orelse and isinstance(node.body[-1], _LEAVING)
