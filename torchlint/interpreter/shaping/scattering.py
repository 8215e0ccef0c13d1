"""Elements that are put where an index says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.shaping.elementwise import place
from torchlint.interpreter.shaping.mismatch import Why

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.shaping.request import Request


def scattered(request: Request) -> Shape | None:
    """``scatter`` and its kin: the shape that is given, which the index lies within."""
    shape, index, dim = request.shape(), request.shape("index"), request.number("dim")
    source = request.shape("src") if request.is_tensor(request.inputs.get("src")) else None
    if shape is None or index is None or dim is None:
        return shape
    if not (shapes.is_whole(shape) and shapes.is_whole(index)) or 0 in index:
        return shape
    if not shape or not index:
        return shape
    if len(index) != len(shape):
        request.refuse(Why.RANK, "index", wanted=len(shape), given=len(index), by="input")
    at = place(request, shape, dim)
    for other, (size, length) in enumerate(zip(index, shape, strict=True)):
        if other != at:
            _within(request, size, length, other, "input")
    if source is not None and shapes.is_whole(source) and len(source) == len(index):
        for other, (size, length) in enumerate(zip(index, source, strict=True)):
            _within(request, size, length, other, "src")
    return shape


def _within(request: Request, size: object, length: object, dim: int, by: str) -> None:
    """An index is no longer than what it is put into, or what is put there."""
    if isinstance(size, int) and isinstance(length, int) and size > length:
        request.refuse(Why.SIZE, "index", wanted=length, given=size, dim=dim, by=by)


def added(request: Request) -> Shape | None:
    """``index_add`` and ``index_copy``: a row of the source for each of the index."""
    shape, index, source = (request.shape(name) for name in ("input", "index", "source"))
    dim = request.number("dim")
    whole = shapes.is_whole(shape) and shapes.is_whole(source)
    if shape is None or source is None or dim is None or not whole or not shape or not source:
        return shape
    if len(shape) != len(source):
        return shape
    at = place(request, shape, dim)
    for other, (size, length) in enumerate(zip(source, shape, strict=True)):
        if other != at and dimensions.differ(size, length):
            request.need(size, length, "source", other, "input")
    if at is not None and shapes.rank(index) == 1 and index is not None:
        request.need(source[at], index[0], "source", at, "index")
    return shape
