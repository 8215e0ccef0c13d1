"""Shapes: tuples of dimensions, of which some may be left open.

A shape may have ``MORE`` in it once, which stands for any number of dimensions.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter import dimensions
from torchlint.interpreter.values import Const, Tensor, Tuple

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Value

MORE = "..."


def of_value(machine: Machine, value: Value | None) -> Shape | None:
    """The shape of a value; a number has no dimensions."""
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        return ()
    record = machine.get(value) if value is not None else None
    return record.shape if isinstance(record, Tensor) else None


def taken(shape: Shape | None, index: Value) -> Shape | None:
    """The shape of what an array gives for positions and slices of its first dimensions."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    if not is_whole(shape) or shape is None or len(parts) > len(shape):
        return None
    left: list[Dim] = []
    for part, size in zip(parts, shape, strict=False):
        if not isinstance(part, Const) or type(part.value) not in {int, slice}:
            return None
        if isinstance(part.value, slice):
            left.append(size if part.value == slice(None) else None)
    return (*left, *shape[len(parts) :])


def of(operation: Operation, parameter: str = "input") -> Shape | None:
    """The shape of an operand."""
    return of_value(operation.machine, operation.inputs.get(parameter))


def is_whole(shape: Shape | None) -> bool:
    """Whether the number of dimensions is known."""
    return shape is not None and MORE not in shape


def is_known(shape: Shape | None) -> bool:
    """Whether nothing of a shape is left to turn out."""
    return shape is not None and MORE not in shape and None not in shape


def ends(shape: Shape) -> tuple[Shape, Shape]:
    """The dimensions before those that are left open, and those after; a whole shape twice."""
    if MORE not in shape:
        return shape, shape
    at = shape.index(MORE)
    return shape[:at], shape[at + 1 :]


def rank(shape: Shape | None) -> int | None:
    """The number of dimensions; None where it is not known."""
    return len(shape) if shape is not None and MORE not in shape else None


def least_rank(shape: Shape | None) -> int:
    """How many dimensions there are at least."""
    return 0 if shape is None else len(shape) - (MORE in shape)


def position(shape: Shape | None, dim: int) -> int | None:
    """Where a dimension stands in a shape; None where that is not known."""
    if shape is None:
        return None
    if is_whole(shape):
        return dim % len(shape) if shape and -len(shape) <= dim < len(shape) else None
    head, tail = ends(shape)
    if 0 <= dim < len(head):
        return dim
    return len(shape) + dim if dim < 0 and -dim <= len(tail) else None


def size(shape: Shape | None, dim: int) -> Dim:
    """The size of a dimension; None where it is not known."""
    at = position(shape, dim)
    return shape[at] if shape is not None and at is not None else None


def plain(shape: Shape | None) -> Shape | None:
    """A shape, or None for one that says nothing."""
    return None if shape == (MORE,) else shape


def common(one: Shape | None, other: Shape | None) -> Shape | None:
    """What is known of either of two shapes."""
    if one == other:
        return one
    if one is None or other is None:
        return None
    if len(one) == len(other) and MORE not in (*one, *other):
        return tuple(a if a == b else None for a, b in zip(one, other, strict=True))
    (head, tail), (first, last) = ends(one), ends(other)
    least = min(least_rank(one), least_rank(other))
    after = _agreed(tail[::-1], last[::-1])[:least]
    before = _agreed(head, first)[: least - len(after)]
    return (*before, MORE, *after[::-1]) if before or after else None


def _agreed(one: Shape, other: Shape) -> Shape:
    """What two rows of dimensions have in common, up to the last that they agree in."""
    found = [a if a == b else None for a, b in zip(one, other, strict=False)]
    while found and found[-1] is None:
        found.pop()
    return tuple(found)


def broadcast(one: Shape | None, other: Shape | None) -> Shape | None:
    """The shape of what two shapes give when they are broadcast."""
    if one is None or other is None:
        return None
    if one == other or not other:
        return one
    if not one:
        return other
    if is_whole(one) and is_whole(other):
        pairs = itertools.zip_longest(reversed(one), reversed(other), fillvalue=1)
        return tuple(reversed([_alike(a, b) for a, b in pairs]))
    # A whole shape has ones before its dimensions; what is left open in another may be anything.
    filling = [1 if is_whole(shape) else None for shape in (one, other)]
    tails = ends(one)[1][::-1], ends(other)[1][::-1]
    dims = [
        _alike(filling[0] if a == MORE else a, filling[1] if b == MORE else b)
        for a, b in itertools.zip_longest(*tails, fillvalue=MORE)
    ]
    return (MORE, *reversed(dims))


def _alike(one: Dim, other: Dim) -> Dim:
    if one == other or other == 1:
        return one
    if one == 1:
        return other
    for dim in (one, other):
        if dim is not None and dimensions.at_least(dim, 2):
            return dim
    return None


@dataclass(frozen=True, slots=True)
class Clash:
    """Dimensions, counted from the end, that do not broadcast."""

    dim: int
    one: Dim
    other: Dim


def clash(one: Shape | None, other: Shape | None) -> Clash | None:
    """Where two shapes can never be broadcast; None where they may."""
    if one is None or other is None:
        return None
    left, right = ends(one)[1], ends(other)[1]
    for at, (a, b) in enumerate(zip(reversed(left), reversed(right), strict=False), start=1):
        if (
            a != 1
            and b != 1
            and all(itertools.starmap(dimensions.differ, ((a, b), (a, 1), (b, 1))))
        ):
            return Clash(-at, a, b)
    return None


def grows(one: Shape | None, other: Shape | None) -> bool:
    """Whether two shapes surely broadcast to one that is larger than either.

    A dimension with a name, or that is not known, counts as one that can be more than one.
    """
    if one is None or other is None or (not is_whole(one) and not is_whole(other)):
        return False
    left, right = ends(one)[1], ends(other)[1]
    pairs = list(itertools.zip_longest(reversed(left), reversed(right), fillvalue=1))
    first = any(a == 1 and b != 1 for a, b in pairs)
    second = any(b == 1 and a != 1 for a, b in pairs)
    if first and not is_whole(one) and is_whole(other):
        # What stands before a last dimension of one is a batch.
        second = second or len(right) < 2
    return first and second and clash(one, other) is None


def written(shape: Shape | None) -> str:
    """A shape for the reader: what is not known is a question mark."""
    dims = [MORE if dim == MORE else dimensions.written(dim) for dim in shape or ()]
    return f"({', '.join(dims)}{',' if len(dims) == 1 else ''})"


def fitted(shape: Shape | None, pattern: Shape) -> Shape | Misfit:
    """What is known of a shape that has to be like a pattern, or where it is not.

    It has at least the dimensions of the pattern, in front of those left open and behind.
    """
    if shape is None or shape == (MORE,):
        return pattern
    lengths = rank(shape), rank(pattern)
    if None not in lengths and lengths[0] != lengths[1]:
        return Misfit(None, len(pattern), len(shape))
    if lengths[1] is None and lengths[0] is not None and lengths[0] < least_rank(pattern):
        return Misfit(None, least_rank(pattern), len(shape))
    if lengths[0] is None and lengths[1] is not None and lengths[1] < least_rank(shape):
        return Misfit(None, len(pattern), least_rank(shape))
    return _merged(shape, pattern)


@dataclass(frozen=True, slots=True)
class Misfit:
    """Where a shape is not like a pattern: at a dimension, or None for their number."""

    dim: int | None
    wanted: Dim
    given: Dim


def _merged(shape: Shape, pattern: Shape) -> Shape | Misfit:
    length = rank(pattern) if rank(shape) is None else rank(shape)
    if length is not None:
        return _met(spread(shape, length), spread(pattern, length))
    (head, tail), (first, last) = ends(shape), ends(pattern)
    before, after = _met(head, first), _met(tail[::-1], last[::-1])
    if isinstance(before, Misfit):
        return before
    if isinstance(after, Misfit):
        return replace(after, dim=-1 - (after.dim or 0))
    if len(before) + len(after) > max(least_rank(shape), least_rank(pattern)):
        # They may be the same dimensions, so that only those go together that do in the pattern.
        before, after = before[: len(first)], after[: len(last)]
    return (*before, MORE, *after[::-1])


def spread(shape: Shape, length: int) -> Shape:
    """A shape of which the number of dimensions turns out to be known."""
    if is_whole(shape):
        return shape
    head, tail = ends(shape)
    return (*head, *(None,) * (length - len(head) - len(tail)), *tail)


def _met(shape: Shape, pattern: Shape) -> Shape | Misfit:
    """Dimensions that are the same, one by one, and those of the longer shape after them."""
    met = [*max(shape, pattern, key=len)]
    for at, (given, wanted) in enumerate(zip(shape, pattern, strict=False)):
        if dimensions.differ(given, wanted):
            return Misfit(at, wanted, given)
        met[at] = _surer(given, wanted)
    return tuple(met)


def _surer(one: Dim, other: Dim) -> Dim:
    """Which of two dimensions that are equal says more."""
    return other if one is None or (isinstance(other, int) and not isinstance(one, int)) else one
