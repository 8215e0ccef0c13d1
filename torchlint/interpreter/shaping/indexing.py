"""Indexing: what is left of a shape where items, slices and rows are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes, sizing
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.dimensions import add, at_least, ceil_divide, subtract
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.elementwise import into, place
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import NONE, Const, Ref, Sequence, Tensor, Tuple

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request
    from torchlint.interpreter.values import Value

_DOTS = Const(...)


def item(request: Request) -> Shape | None:
    """``tensor[index]``; a row where there is no index, as where a tensor is iterated."""
    shape, index = request.shape(), request.inputs.get("index", Number())
    if request.name == "select" and "dim" in request.inputs:
        return selected(request)
    parts: list[Value] = list(index.items) if isinstance(index, Tuple) else [index]
    if shape is None:
        return None
    if not all(map(_is_plain, parts)):
        return _by_tensors(request, shape, parts)
    taken = sum(1 for part in parts if part not in (NONE, _DOTS))
    dots = [at for at, part in enumerate(parts) if part == _DOTS]
    if len(dots) > 1:
        request.refuse(Why.ARGUMENTS, by="index")
    if shapes.is_whole(shape) and taken > len(shape):
        request.refuse(Why.RANK, wanted=taken, given=len(shape), by="index")
    if not dots:
        return _from_left(request, shape, parts)
    return _around(request, shape, parts[: dots[0]], parts[dots[0] + 1 :])


def _around(
    request: Request, shape: Shape, before: list[Value], after: list[Value]
) -> Shape | None:
    """What is left where an ellipsis stands for the dimensions in the middle."""
    head = sum(1 for part in before if part != NONE)
    tail = sum(1 for part in after if part != NONE)
    first, last = shapes.ends(shape)
    if shapes.is_whole(shape):
        middle = shape[head : len(shape) - tail]
        first, last = shape[:head], shape[len(shape) - tail :]
    elif head > len(first) or tail > len(last):
        return None
    else:
        middle = (*first[head:], MORE, *last[: len(last) - tail])
        first, last = first[:head], last[len(last) - tail :]
    left = _taken(request, first, before, 0)
    right = _taken(request, last, after, -tail)
    if _has_no_item(first, before) or _has_no_item(last, after):
        return None
    return shapes.plain((*left, *middle, *right))


def _by_tensors(request: Request, shape: Shape, parts: list[Value]) -> Shape | None:
    """What is left where tensors or lists side by side say which items are taken."""
    taken: Shape | None = ()
    left: list[Dim] = []
    places: list[int] = []
    dims = list(shapes.ends(shape)[0])
    used = 0
    for part in parts:
        if used >= len(dims) and part != NONE:
            if shapes.is_whole(shape) and _DOTS not in parts:
                request.refuse(Why.RANK, wanted=used + 1, given=len(dims), by="index")
            return None
        if part == NONE:
            left.append(1)
            continue
        if isinstance(part, Const) and isinstance(part.value, slice):
            left.append(_sliced(request, dims[used], part.value))
            used += 1
            continue
        known = _index_shape(request, part)
        if known is None or (places and places[-1] != len(left)):
            return None
        count, indices = known
        for index in _numbers(request, part):
            _check(request, dims[used], index, used)
        _masked(request, part, shape, used)
        if len(parts) > 1 and count != 1:
            return None
        clash = shapes.clash(taken, indices)
        if clash is not None:
            wanted, given = clash.one, clash.other
            request.refuse(Why.BROADCAST, "index", wanted=wanted, given=given, dim=clash.dim)
        taken = shapes.broadcast(taken, indices)
        places.append(len(left))
        used += count
    if taken is None or not shapes.is_whole(taken) or used > len(dims):
        return None
    return (*left[: places[0]], *taken, *left[places[0] :], *shape[used:])


def _masked(request: Request, part: Value, shape: Shape, start: int) -> None:
    """A mask has the sizes of the dimensions that it is for."""
    record = request.machine.get(part)
    if not isinstance(record, Tensor) or record.dtype != "bool" or not shapes.is_whole(shape):
        return
    mask = record.shape or ()
    there = shape[start : start + len(mask)]
    # Of as many elements in another shape, nobody means a size that happens to be one.
    folded = mask != there and dimensions.product(mask) == dimensions.product(there) is not None
    for at, (size, given) in enumerate(zip(mask, there, strict=False), start=start):
        if dimensions.differ(size, given) or (folded and None is not size != given):
            request.refuse(Why.SIZE, wanted=size, given=given, dim=at)


def assigned(request: Request) -> Shape | None:
    """What is written to some elements, which are as many, if it is more than a number."""
    into_ = item(request) if "index" in request.inputs else None
    if into_ is None or not request.is_tensor(request.inputs.get("value")):
        return None
    given = request.shape("value")
    clash = shapes.clash(given, into_)
    if clash is not None:
        request.refuse(Why.SIZE, "value", wanted=clash.other, given=clash.one, dim=clash.dim)
    if given is not None and into_ is not None and shapes.is_whole(given):
        # Dimensions in front that have size one go; a name may stand for one.
        while given and given[0] == 1:
            given = given[1:]
        more = given[: max(0, len(given) - len(into_))]
        stays = not more or any(isinstance(dim, int) and dim != 1 for dim in more)
        if shapes.is_whole(into_) and stays:
            into(request, into_, given, "value", "value")
    return None


def _numbers(request: Request, part: Value) -> list[int]:
    """The numbers in a list that is an index."""
    return [
        item.value
        for item in request.items(part) or ()
        if isinstance(item, Const) and type(item.value) is int
    ]


def _index_shape(request: Request, part: Value) -> tuple[int, Shape] | None:
    """How many dimensions an index is for, and in what shape it takes them."""
    record = request.machine.get(part)
    if isinstance(record, Sequence) and record.kind == "list":
        items, numbers = request.items(part), _numbers(request, part)
        return (1, (len(numbers),)) if items and len(numbers) == len(items) else None
    if not isinstance(record, Tensor) or record.shape is None or not shapes.is_whole(record.shape):
        return None
    if record.dtype == "bool":
        return len(record.shape), (None,)
    return (1, record.shape) if record.dtype in {"int64", "int32"} else None


def _is_plain(part: Value) -> bool:
    """Whether a part of an index is a number, a slice, or the like."""
    if isinstance(part, Const):
        return not isinstance(part.value, (bool, str, float))
    return isinstance(part, Number) and part.single


def _from_left(request: Request, shape: Shape, parts: list[Value]) -> Shape | None:
    head = shapes.ends(shape)[0]
    taken = sum(1 for part in parts if part != NONE)
    if taken > len(head):
        return None
    left = _taken(request, head[:taken], parts, 0)
    return None if _has_no_item(head, parts) else shapes.plain((*left, *shape[taken:]))


def _has_no_item(dims: Shape, parts: list[Value]) -> bool:
    """Whether an item is taken of a dimension that has none, which is never done."""
    taken = zip(dims, (part for part in parts if part != NONE), strict=False)
    return any(dim == 0 and not _is_slice(part) for dim, part in taken)


def _is_slice(part: Value) -> bool:
    return isinstance(part, Const) and isinstance(part.value, slice)


def _taken(request: Request, dims: Shape, parts: list[Value], start: int) -> list[Dim]:
    """What is left of dimensions that a part of the index each is for, ``start`` the first's."""
    left: list[Dim] = []
    at = start
    known = iter(dims)
    for part in parts:
        if part == NONE:
            left.append(1)
            continue
        dim = next(known)
        if isinstance(part, Const) and isinstance(part.value, slice):
            left.append(_sliced(request, dim, part.value))
        elif isinstance(part, Const) and isinstance(part.value, int):
            _check(request, dim, part.value, at)
        at += 1
    return left


def _check(request: Request, length: Dim, index: int, at: int) -> None:
    """An index has to be below the length, or count from the end."""
    reach = index + 1 if index >= 0 else -index
    if length is not None and at_least(reach - 1, length):
        request.refuse(Why.RANGE, wanted=length, given=index, dim=at, by="index")


def _sliced(request: Request, length: Dim, part: slice) -> Dim:
    """How many are left of a dimension that is sliced."""
    if part == slice(None) or length is None:
        return length
    step = 1 if part.step is None else _bound(request, part.step)
    if not isinstance(step, int) or step < 1:
        return None
    low = _clamped(0 if part.start is None else _bound(request, part.start), length)
    high = _clamped(length if part.stop is None else _bound(request, part.stop), length)
    if low is None or high is None:
        return None
    if at_least(high, low):
        return ceil_divide(subtract(high, low), step)
    return 0 if at_least(low, high) else None


def _bound(request: Request, bound: object) -> Dim:
    if isinstance(bound, int):
        return bound
    return sizing.dimension(request.machine, bound) if isinstance(bound, (Number, Ref)) else None


def _clamped(bound: Dim, length: Dim) -> Dim:
    """Where a bound of a slice is, counted from the start; None where that is not known."""
    if bound is None:
        return None
    if isinstance(bound, int) and bound < 0:
        bound = add(length, bound)
        return bound if at_least(bound, 0) else 0 if at_least(0, bound) else None
    if not at_least(bound, 0):
        return None
    if at_least(length, bound):
        return bound
    return length if at_least(bound, length) else None


def selected(request: Request) -> Shape | None:
    """``select``, ``narrow`` and ``index_select``: one, or some, along a dimension."""
    shape, dim = request.shape(), request.number("dim")
    if dim is None or shape is None:
        return None
    at = place(request, shape, dim)
    if at is None or (not shape and request.name != "index_select"):
        if shape == () and request.name != "index_select":
            request.refuse(Why.RANK, wanted=1, given=0)
        return None
    if request.name == "select":
        index = request.number("index")
        if index is not None:
            _check(request, shape[at], index, at)
        return shapes.plain((*shape[:at], *shape[at + 1 :]))
    if request.name == "narrow":
        size = request.dim("length", counts=False)
        start = request.dim("start", counts=False)
        if start is not None and size is not None and shape[at] is not None:
            end = add(start, size) if at_least(start, 0) else None
            if end is not None and at_least(subtract(end, 1), shape[at]):
                request.refuse(Why.RANGE, wanted=shape[at], given=end, dim=at, by="length")
        return None if isinstance(size, int) and size < 0 else (*shape[:at], size, *shape[at + 1 :])
    index_shape = request.shape("index")
    rank = shapes.rank(index_shape)
    if rank is not None and rank > 1:
        request.refuse(Why.RANK, "index", wanted=1, given=rank)
    if not shape:
        return None
    count = index_shape[0] if rank == 1 and index_shape is not None else 1 if rank == 0 else None
    return (*shape[:at], count, *shape[at + 1 :])


def gather(request: Request) -> Shape | None:
    """The shape of the index, which lies within that of the tensor but for one dimension."""
    shape, index, dim = request.shape(), request.shape("index"), request.number("dim")
    if shape is None or index is None or not (shapes.is_whole(shape) and shapes.is_whole(index)):
        return index
    if len(shape) != len(index) and shape and index:
        request.refuse(Why.RANK, "index", wanted=len(shape), given=len(index), by="input")
    if dim is None or not shape or not index:
        return index if shape == index else None
    at = place(request, shape, dim)
    for other, (size, length) in enumerate(zip(index, shape, strict=True)):
        if other != at and size != length and at_least(subtract(size, 1), length):
            request.refuse(Why.SIZE, "index", wanted=length, given=size, dim=other, by="input")
    return index


def at_indices(request: Request) -> Shape | None:
    """``take_along_dim``: as the indices, but for what broadcasts."""
    shape, index = request.shape(), request.shape("indices")
    return index if index is not None and shape is not None and len(shape) == len(index) else None


def stepped(request: Request) -> Shape | None:
    """``Tensor.unfold``: windows along a dimension, which is at the end then."""
    shape, dim = request.shape(), request.number("dimension")
    size, step = request.dim("size", counts=False), request.dim("step", counts=False)
    if shape is None or dim is None or not shapes.is_whole(shape) or not shape:
        return None
    at = place(request, shape, dim)
    if at is None or size is None or step is None or (isinstance(step, int) and step < 1):
        return None
    room = subtract(shape[at], size)
    if room is not None and dimensions.at_least(-1, room):
        request.refuse(Why.RANGE, wanted=shape[at], given=size, dim=at, by="size")
    count = add(dimensions.floor_divide(room, step), 1)
    return (*shape[:at], count, *shape[at + 1 :], size)
