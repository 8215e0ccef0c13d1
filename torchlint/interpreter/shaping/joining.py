"""Tensors put together, and taken apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes, sizing
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.elementwise import place
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import NONE, Sequence

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request

_MOST_PARTS = 16
_SECTIONS = ("sections", "indices_or_sections", "tensor_indices_or_sections")


def _each(request: Request) -> Shape | None:
    """The shape of each of some tensors whose number is not known."""
    record = request.machine.get(next(iter(request.inputs.values()), NONE))
    if not isinstance(record, Sequence) or record.rest is None or record.escaped:
        return None
    found = [shapes.of_value(request.machine, value) for value in (*record.items, record.rest)]
    shape = found[0]
    for other in found[1:]:
        shape = shapes.common(shape, other)
    return shape


def _given(request: Request) -> list[Shape | None] | None:
    """The shapes of the tensors that are put together; None where not all are known."""
    values = request.items(next(iter(request.inputs.values()), None))
    if values is None:
        return None
    return [shapes.of_value(request.machine, value) for value in values]


def cat(request: Request) -> Shape | None:
    """Tensors one after the other along a dimension, which are alike in all others."""
    found = _given(request)
    dim = request.number("dim", "axis", default=0)
    each = _each(request) if found is None and dim is not None else None
    if each == ():
        request.refuse(Why.RANK, "tensors", wanted=1, given=0)
    if each is not None and dim is not None:
        at = shapes.position(each, dim) if shapes.least_rank(each) > 1 else None
        return None if at is None else (*each[:at], None, *each[at + 1 :])
    if not found or dim is None:
        return None
    # A tensor without elements goes with all others, as it did long ago.
    known = [shape for shape in found if shape not in {None, (0,), (None,)}]
    ranks = {rank for shape in known if (rank := shapes.rank(shape)) is not None}
    if len(ranks) > 1:
        one, other = sorted(ranks)[:2]
        request.refuse(Why.RANK, "tensors", wanted=one, given=other)
    whole = [shape for shape in known if shape is not None and shapes.is_whole(shape)]
    if len(whole) == len(found):
        return _along(request, whole, dim)
    # What is not known may be a tensor of no elements; else it is like the others, but for a size.
    certain = [shape for shape in whole if len(shape) > 1]
    joined = _along(request, certain, dim) if certain else None
    if joined is not None:
        at = shapes.position(joined, dim)
        return None if at is None else (*joined[:at], None, *joined[at + 1 :])
    return (None,) * max(ranks) if ranks and len(known) == len(found) else None


def _along(request: Request, found: list[Shape], dim: int) -> Shape | None:
    first = found[0] if found else ()
    if not first:
        request.refuse(Why.RANK, "tensors", wanted=1, given=0)
    at = place(request, first, dim, operand="tensors")
    if at is None:
        return None
    dims: list[Dim] = list(first)
    for shape in found[1:]:
        for index, size in enumerate(shape):
            if index != at:
                dims[index] = _agreed(request, dims[index], size, index)
    dims[at] = dimensions.total(shape[at] for shape in found)
    return tuple(dims)


def _agreed(request: Request, one: Dim, other: Dim, dim: int) -> Dim:
    if dimensions.differ(one, other):
        request.refuse(Why.SIZE, "tensors", wanted=one, given=other, dim=dim)
    return other if one is None or isinstance(other, int) else one


def stack(request: Request) -> Shape | None:
    """Tensors side by side along a new dimension, which are alike in all others."""
    found = _given(request)
    dim = request.number("dim", default=0)
    each = _each(request) if found is None and dim is not None else None
    if each is not None and dim is not None:
        at = len(each) + 1 + dim if dim < 0 else dim
        known = shapes.is_whole(each) and 0 <= at <= len(each)
        return (*each[:at], None, *each[at:]) if known else None
    if not found or dim is None:
        return None
    ranks = {shapes.rank(shape) for shape in found} - {None}
    if len(ranks) > 1:
        one, other = sorted(rank for rank in ranks if rank is not None)[:2]
        request.refuse(Why.RANK, "tensors", wanted=one, given=other)
    rank = next(iter(ranks), None)
    if rank is None:
        return None
    whole = [shape for shape in found if shape is not None and shapes.is_whole(shape)]
    dims: list[Dim] = list(whole[0])
    for shape in whole[1:]:
        dims = [
            _agreed(request, *pair, at) for at, pair in enumerate(zip(dims, shape, strict=True))
        ]
    if not -rank - 1 <= dim <= rank:
        request.refuse(Why.RANGE, "tensors", wanted=rank, given=dim, by="dim")
    if len(whole) < len(found):
        dims = [None] * rank
    at = dim if dim >= 0 else rank + 1 + dim
    return (*dims[:at], len(found), *dims[at:])


def padded(request: Request) -> Shape | None:
    """Sequences of different lengths side by side, with the batch first or second."""
    found = _given(request)
    each = _each(request) if found is None else next(iter(found), None)
    for other in found or ():
        each = shapes.common(each, other)
    return (None, None, *each[1:]) if each and shapes.is_whole(each) else None


def hstack(request: Request) -> Shape | None:
    """Tensors put together along the second dimension, or the first where there is one only."""
    found = _given(request)
    if not found or any(not shapes.is_whole(shape) for shape in found):
        return None
    grown = [shape or (1,) for shape in found if shape is not None]
    rows = request.name in {"vstack", "row_stack"}
    if rows:
        grown = [(1, *shape) if len(shape) == 1 else shape for shape in grown]
    elif request.name == "column_stack":
        grown = [(*shape, 1) if len(shape) == 1 else shape for shape in grown]
    elif request.name == "dstack":
        grown = [(1, *shape) if len(shape) == 1 else shape for shape in grown]
        grown = [(*shape, 1) if len(shape) == 2 else shape for shape in grown]
    if len({len(shape) for shape in grown}) > 1:
        request.refuse(Why.RANK, "tensors")
    if request.name == "dstack":
        return _along(request, grown, 2)
    return _along(request, grown, 0 if len(grown[0]) == 1 or rows else 1)


def combined(request: Request) -> Shape | None:
    """``cartesian_prod``: a row for each choice of one item of each."""
    found = [request.shape_of(value) for value in request.inputs.values()]
    if any(shape is None or len(shape) != 1 or MORE in shape for shape in found):
        return None
    count = dimensions.product(shape[0] for shape in found if shape is not None)
    return (count, len(found)) if len(found) > 1 else (count,)


def parts(request: Request) -> tuple[Shape, ...] | None:
    """The shapes of the parts that a tensor is taken apart into; None if not their number."""
    shape = request.shape()
    dim = request.number("dim", default=0)
    if shape is None or dim is None:
        return None
    at = place(request, shape, dim)
    if at is None or not shape:
        if shape == ():
            request.refuse(Why.RANK, wanted=1, given=0)
        return None
    if request.name == "unbind":
        rest, count = (*shape[:at], *shape[at + 1 :]), shape[at]
        return (rest,) * count if isinstance(count, int) and count <= _MOST_PARTS else None
    sizes = _sections(request, shape[at], at)
    if sizes is None:
        return None
    return tuple((*shape[:at], size, *shape[at + 1 :]) for size in sizes)


def _sections(request: Request, length: Dim, at: int) -> tuple[Dim, ...] | None:
    """The sizes of the parts along the dimension."""
    if request.name in {"chunk", "unsafe_chunk", "tensor_split"}:
        return _chunks(request, length)
    value = request.value("split_size", "split_size_or_sections", "split_sizes")
    items = request.items(value)
    if items is None:
        return _steps(length, request.dim("split_size", "split_size_or_sections", counts=False))
    found = tuple(sizing.dimension(request.machine, item) for item in items)
    if any(isinstance(size, int) and size < 0 for size in found) or len(found) > _MOST_PARTS:
        return None
    whole = dimensions.total(found)
    if dimensions.differ(whole, length):
        request.refuse(Why.SIZE, wanted=whole, given=length, dim=at, by="split_size")
    return found


def _steps(length: Dim, step: Dim) -> tuple[Dim, ...] | None:
    """Parts of one size, and a smaller one at the end if that does not come out."""
    if step is None or (isinstance(step, int) and step < 1):
        return None
    count = dimensions.divided(length, step)
    if isinstance(count, int) and 0 < count <= _MOST_PARTS:
        return (step,) * count
    if isinstance(length, int) and isinstance(step, int) and 0 < -(-length // step) <= _MOST_PARTS:
        whole, rest = divmod(length, step)
        return (*(step,) * whole, *((rest,) if rest else ()))
    return None


def _chunks(request: Request, length: Dim) -> tuple[Dim, ...] | None:
    count = request.number("chunks", *_SECTIONS)
    if count is None or not 1 <= count <= _MOST_PARTS:
        return None
    exact = dimensions.divided(length, count)
    if exact is not None and exact != 0:
        return (exact,) * count
    if not isinstance(length, int) or length == 0:
        return None
    if request.name == "tensor_split":
        small, rest = divmod(length, count)
        return tuple(small + (at < rest) for at in range(count))
    return _steps(length, -(-length // count))
