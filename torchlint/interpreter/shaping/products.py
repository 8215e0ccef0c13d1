"""Products of matrices and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import shapes
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.elementwise import broadcast, place
from torchlint.interpreter.shaping.mismatch import Why

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request


def matmul(request: Request) -> Shape | None:
    """``a @ b``: the last dimension of one meets the last but one of the other."""
    names = ("other", "input") if request.name == "rmatmul" else ("input", "other")
    one, other = (request.shape(name) for name in names)
    for name, shape in zip(names, (one, other), strict=True):
        if shape == ():
            request.refuse(Why.RANK, name, wanted=1, given=0)
    ranks = shapes.rank(one), shapes.rank(other)
    if one is None or other is None or None in ranks:
        return _half_known(request, names, other)
    inner = other[-2] if len(other) > 1 else other[0]
    request.need(inner, one[-1], names[1], max(len(other) - 2, 0), names[0])
    before = broadcast(request, one[:-2], other[:-2], names[0], names[1])
    if before is None:
        return None
    rows = one[-2:-1] if len(one) > 1 else ()
    columns = other[-1:] if len(other) > 1 else ()
    return (*before, *rows, *columns)


def _half_known(request: Request, names: tuple[str, str], other: Shape | None) -> Shape | None:
    """The product where the number of dimensions is open; a vector has no columns to give."""
    tail = shapes.ends(other)[1] if other is not None else ()
    if other is None or len(tail) < 2:
        return None
    one = request.fit(names[0], (MORE, tail[-2]), by=names[1])
    if shapes.rank(other) == 2:
        return (*one[:-1], tail[-1])
    rows = shapes.ends(one)[1][-2:-1]
    return (MORE, *rows, tail[-1]) if rows else None


def batched(request: Request) -> Shape | None:
    """``bmm`` and ``mm``: so many dimensions, and no broadcasting."""
    count = 3 if request.name == "bmm" else 2
    one = request.fit("input", (None,) * count)
    other = request.fit("mat2", (None,) * count)
    if count == 3:
        request.need(other[0], one[0], "mat2", 0, "input")
    request.need(other[-2], one[-1], "mat2", count - 2, "input")
    batch = (_surest(one[0], other[0]),) if count == 3 else ()
    return (*batch, one[-2], other[-1])


def _surest(one: Dim, other: Dim) -> Dim:
    return other if one is None or isinstance(other, int) else one


def added(request: Request) -> Shape | None:
    """``addmm`` and ``baddbmm``: a product, to which something that broadcasts is added."""
    plain = request.name == "addmm"
    names, count = (("mat1", "mat2"), 2) if plain else (("batch1", "batch2"), 3)
    one, other = (request.fit(name, (None,) * count) for name in names)
    if count == 3:
        request.need(other[0], one[0], names[1], 0, names[0])
    request.need(other[-2], one[-1], names[1], count - 2, names[0])
    batch = (_surest(one[0], other[0]),) if request.name == "baddbmm" else ()
    whole = (*batch, one[-2], other[-1])
    broadcast(request, request.shape(), whole, "input", names[0])
    return whole


def vectors(request: Request) -> Shape | None:
    """Products of two vectors, or of a matrix and one."""
    if request.name == "mv":
        matrix, vector = request.fit("input", (None, None)), request.fit("vec", (None,))
        request.need(vector[0], matrix[1], "vec", 0, "input")
        return (matrix[0],)
    second = "tensor" if request.name == "dot" else "vec2"
    one, other = request.fit("input", (None,)), request.fit(second, (None,))
    if request.name == "dot":
        request.need(other[0], one[0], second, 0, "input")
        return ()
    return (one[0], other[0])


def distances(request: Request) -> Shape | None:
    """``cdist``: between the rows of one and of the other."""
    one, other = (request.fit(name, (MORE, None, None)) for name in ("x1", "x2"))
    request.need(other[-1], one[-1], "x2", -1, "x1")
    before = broadcast(request, one[:-2], other[:-2], "x1", "x2")
    return None if before is None else (*before, one[-2], other[-2])


def cross(request: Request) -> Shape | None:
    """The cross product, which is one of vectors of three."""
    shape = broadcast(request, request.shape(), request.shape("other"), "input", "other")
    dim = request.number("dim")
    at = place(request, shape, dim) if dim is not None and shape else None
    if at is not None and shape is not None and shape[at] is not None:
        request.need(shape[at], 3, "input", at)
    return shape if request.value("dim") is not None and 3 in (shape or ()) else None
