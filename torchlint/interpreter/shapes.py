"""Shapes: the dimensions of an operation's result, given those of what it is applied to.

A dimension is a number, a name that stands for one number, or None. A shape may begin with
``MORE``, which stands for any number of dimensions.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from torchlint.interpreter.cuts import PLAIN
from torchlint.interpreter.values import NONE, TRUE, Const, Sequence, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Shape, Value

MORE = "..."

_names = itertools.count(1)


def new_name() -> str:
    """A name for a dimension that no other has."""
    return f"d{next(_names)}"


def of_value(machine: Machine, value: Value | None) -> Shape | None:
    """The shape of a value; a number has no dimensions."""
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        return ()
    record = machine.get(value) if value is not None else None
    return record.shape if isinstance(record, Tensor) else None


def of(operation: Operation, parameter: str = "input") -> Shape | None:
    """The shape of an operand."""
    return of_value(operation.machine, operation.inputs.get(parameter))


def is_whole(shape: Shape | None) -> bool:
    """Whether the number of dimensions is known."""
    return shape is not None and shape[:1] != (MORE,)


def rank(shape: Shape | None) -> int | None:
    """The number of dimensions; None where it is not known."""
    return len(shape) if shape is not None and is_whole(shape) else None


def number(operation: Operation, *parameters: str) -> int | None:
    """The first of these parameters that is given as a whole number."""
    for parameter in parameters:
        value = operation.inputs.get(parameter)
        if isinstance(value, Const) and isinstance(value.value, int):
            return value.value
    return None


def position(shape: Shape | None, dim: int) -> int | None:
    """Where a dimension stands in a shape; None where that is not known."""
    if shape is None:
        return None
    if is_whole(shape):
        return dim % len(shape) if shape and -len(shape) <= dim < len(shape) else None
    return len(shape) + dim if dim < 0 and -dim < len(shape) else None


def size(shape: Shape | None, dim: int) -> int | str | None:
    """The size of a dimension; None where it is not known."""
    at = position(shape, dim)
    return shape[at] if shape is not None and at is not None else None


def as_value(shape: Shape | None) -> Value:
    """What ``tensor.shape`` gives."""
    if shape is None or not is_whole(shape):
        return PLAIN
    return Tuple(tuple(Const(dim) if isinstance(dim, int) else PLAIN for dim in shape))


def sizes(machine: Machine, values: Iterable[Value]) -> Shape | None:
    """The sizes that are written out, one by one or in a tuple; -1 stays what it is."""
    given = list(values)
    if len(given) == 1:
        if isinstance(given[0], Tuple):
            given = list(given[0].items)
        elif isinstance(given[0], Const):
            pass
        else:
            record = machine.get(given[0])
            if not isinstance(record, Sequence) or record.rest is not None:
                return None
            given = list(record.items)
    return tuple(
        value.value if isinstance(value, Const) and isinstance(value.value, int) else None
        for value in given
    )


def of_data(machine: Machine, value: Value) -> Shape | None:
    """The shape of ``torch.tensor(value)``."""
    if isinstance(value, Const):
        return ()
    if isinstance(value, Tuple):
        items: tuple[Value, ...] = value.items
    else:
        match machine.get(value):
            case Tensor(shape=shape):
                return shape
            case Sequence(items=found, rest=None) if found:
                items = found
            case _:
                return None
    inner = of_data(machine, items[0]) if items else None
    return (len(items), *inner) if inner is not None else None


def broadcast(one: Shape | None, other: Shape | None) -> Shape | None:
    """The shape of what two shapes give when they are broadcast."""
    if one is None or other is None:
        return None
    if one == other or not other:
        return one
    if not one:
        return other
    more = not is_whole(one) or not is_whole(other)
    left, right = (shape if is_whole(shape) else shape[1:] for shape in (one, other))
    dims = [
        _alike(a, b) for a, b in itertools.zip_longest(reversed(left), reversed(right), fillvalue=1)
    ]
    return (*((MORE,) if more else ()), *reversed(dims))


def _alike(one: int | str | None, other: int | str | None) -> int | str | None:
    if one == other or other == 1:
        return one
    if one == 1:
        return other
    numbers = [dim for dim in (one, other) if isinstance(dim, int)]
    return numbers[0] if len(numbers) == 1 else None


def grows(one: Shape | None, other: Shape | None) -> bool:
    """Whether two shapes surely broadcast to one that is larger than either.

    A dimension with a name, or that is not known, counts as one that can be more than one.
    """
    if one is None or other is None or (not is_whole(one) and not is_whole(other)):
        return False
    left, right = (shape if is_whole(shape) else shape[1:] for shape in (one, other))
    pairs = list(itertools.zip_longest(reversed(left), reversed(right), fillvalue=1))
    conflict = any(
        isinstance(a, int) and isinstance(b, int) and a != b and 1 not in (a, b) for a, b in pairs
    )
    first = any(a == 1 and _many(b) for a, b in pairs)
    second = any(b == 1 and _many(a) for a, b in pairs)
    if first and not is_whole(one) and is_whole(other):
        # What stands before a last dimension of one is a batch.
        second = second or len(right) < 2
    return first and second and not conflict


def _many(dim: int | str | None) -> bool:
    return dim != 1


def written(shape: Shape | None) -> str:
    """A shape for the reader: what is not known is a question mark, a name the batch."""
    dims = ["?" if dim is None else str(dim) for dim in shape or ()]
    dims = [
        "N" if isinstance(known, str) and known != MORE else dim
        for dim, known in zip(dims, shape or (), strict=True)
    ]
    return f"({', '.join(dims)}{',' if len(dims) == 1 else ''})"


def reduced(shape: Shape | None, dims: list[int], *, keep: bool) -> Shape | None:
    """A shape without some of its dimensions, or with one in their place."""
    places = {position(shape, dim) for dim in dims}
    if shape is None or None in places:
        return None
    if keep:
        return tuple(1 if at in places else dim for at, dim in enumerate(shape))
    left = tuple(dim for at, dim in enumerate(shape) if at not in places)
    return left if left != (MORE,) else None


def viewed(shape: Shape | None, wanted: Shape | None) -> Shape | None:
    """The shape that ``view`` gives, with the size that stands for the rest worked out."""
    if wanted is None or wanted.count(-1) > 1:
        return None
    if -1 not in wanted:
        return wanted
    at = wanted.index(-1)
    others = [dim for index, dim in enumerate(wanted) if index != at]
    rest: int | str | None = None
    if shape is not None and is_whole(shape) and None not in shape and None not in others:
        rest = _quotient(shape, others)
    return (*wanted[:at], rest, *wanted[at + 1 :])


def _quotient(shape: Shape, others: list[int | str | None]) -> int | str | None:
    named = [dim for dim in shape if isinstance(dim, str)]
    whole = _product(shape)
    parts = _product(others)
    if not parts or whole % parts:
        return None
    if not named:
        return whole // parts
    return named[0] if len(named) == 1 and whole == parts else None


def _product(dims: Iterable[int | str | None]) -> int:
    product = 1
    for dim in dims:
        product *= dim if isinstance(dim, int) else 1
    return product


def indexed(machine: Machine, shape: Shape | None, index: Value) -> Shape | None:
    """The shape of ``tensor[index]``; None where a tensor is the index."""
    parts = list(index.items) if isinstance(index, Tuple) else [index]
    if shape is None or any(not isinstance(part, Const) for part in parts):
        return None
    dots = [at for at, part in enumerate(parts) if part == Const(...)]
    taken = sum(1 for part in parts if part not in (NONE, Const(...)))
    if not is_whole(shape) and (not dots or dots[0] != 0):
        return None
    known = shape if is_whole(shape) else shape[1:]
    if taken > len(known):
        return None
    at = dots[0] if dots else len(parts)
    filling: list[Value] = [Const(slice(None))] * (len(known) - taken)
    parts = [*parts[:at], *filling, *parts[at + 1 :]]
    dims = iter(known)
    left: list[int | str | None] = [] if is_whole(shape) else [MORE]
    for part in parts:
        assert isinstance(part, Const)
        if part == NONE:
            left.append(1)
            continue
        dim = next(dims)
        if isinstance(part.value, slice):
            left.append(dim if part.value == slice(None) else None)
    return tuple(left) if left != [MORE] else None


def keeps(operation: Operation) -> bool:
    """Whether a reduction keeps the dimension that it is along."""
    return operation.inputs.get("keepdim") == TRUE or operation.inputs.get("keepdims") == TRUE
