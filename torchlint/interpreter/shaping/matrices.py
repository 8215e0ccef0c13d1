"""Linear algebra beyond products: square matrices, decompositions, sums over chosen dimensions."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.dimensions import add, multiply
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.elementwise import broadcast, place
from torchlint.interpreter.shaping.mismatch import Why

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request

    Several = tuple["Shape | None", ...]

SQUARE = frozenset("inv inverse cholesky matrix_exp matrix_power".split())
"""What gives a matrix for each square one."""

NUMBERS = frozenset("det logdet".split())
"""What gives a number for each square matrix."""


def _operand(request: Request) -> str:
    """What a function calls the matrices that it is given."""
    return next(iter(request.inputs), "input")


def _square(request: Request) -> Shape:
    """The shape of square matrices."""
    name = _operand(request)
    shape = request.fit(name, (MORE, None, None))
    request.need(shape[-1], shape[-2], name, -1)
    return shape


def square(request: Request) -> Shape | None:
    """As many square matrices."""
    return _square(request)


def numbers(request: Request) -> Shape | None:
    """A number for each matrix."""
    return shapes.plain(_square(request)[:-2])


def eigen(request: Request) -> Several | None:
    """The eigenvalues of square matrices, and their vectors."""
    shape = _square(request)
    return (shape[:-1], shape) if 0 not in shape else None


def trace(request: Request) -> Shape | None:
    """One number for a matrix."""
    request.fit("input", (None, None))
    return ()


def _smaller(one: Dim, other: Dim) -> Dim:
    if dimensions.same(one, other):
        return one
    return min(one, other) if isinstance(one, int) and isinstance(other, int) else None


def singular(request: Request) -> Several | None:
    """``svd``: two matrices, and the singular values between them."""
    shape = request.fit(_operand(request), (MORE, None, None))
    full = request.flag("full_matrices", default=True)
    if request.operation.label == "svd" and "some" in request.inputs:
        full = None
    *before, rows, columns = shape
    least = _smaller(rows, columns)
    if full is None:
        return (*before, rows, None), (*before, least), (*before, None, columns)
    left, right = (rows, columns) if full else (least, least)
    return (*before, rows, left), (*before, least), (*before, right, columns)


def orthogonal(request: Request) -> Several | None:
    """``qr``: an orthogonal matrix, and an upper triangle."""
    shape = request.fit(_operand(request), (MORE, None, None))
    if request.text("mode", "reduced") != "reduced" or request.value("some") is not None:
        return None
    *before, rows, columns = shape
    least = _smaller(rows, columns)
    return (*before, rows, least), (*before, least, columns)


def solved(request: Request) -> Shape | None:
    """``solve``: as many columns as there are right-hand sides."""
    one, other = request.fit("A", (MORE, None, None)), request.shape("B")
    request.need(one[-1], one[-2], "A", -1)
    ranks = shapes.rank(one), shapes.rank(other)
    if other is None or None in ranks or ranks[0] != ranks[1]:
        return None
    request.need(other[-2], one[-1], "B", -2, "A")
    before = broadcast(request, one[:-2], other[:-2], "A", "B")
    return None if before is None else (*before, *other[-2:])


def inner(request: Request) -> Shape | None:
    """Products along the last dimensions of two tensors."""
    one, other = request.shape(), request.shape("other")
    if one is None or other is None or not (shapes.is_whole(one) and shapes.is_whole(other)):
        return None
    if not one or not other:
        return one or other
    request.need(other[-1], one[-1], "other", -1, "input")
    return (*one[:-1], *other[:-1])


def contracted(request: Request) -> Shape | None:
    """``tensordot``: products along dimensions that are told, or so many at the ends."""
    one, other = request.shape("a"), request.shape("b")
    if one is None or other is None or not (shapes.is_whole(one) and shapes.is_whole(other)):
        return None
    pairs = _pairs(request, len(one), len(other))
    if pairs is None:
        return None
    for left, right in pairs:
        if one[left] != 1 and other[right] != 1:
            request.need(other[right], one[left], "b", right, "a")
    kept = [dim for at, dim in enumerate(one) if at not in {left for left, _ in pairs}]
    more = [dim for at, dim in enumerate(other) if at not in {right for _, right in pairs}]
    return (*kept, *more)


def _pairs(request: Request, one: int, other: int) -> list[tuple[int, int]] | None:
    """The dimensions of the two tensors that are summed over together."""
    count = request.number("dims", default=2)
    if count is not None:
        if not 0 <= count <= min(one, other):
            return None
        return [(one - count + at, at) for at in range(count)]
    items = request.items(request.value("dims"))
    if items is None or len(items) != 2:
        return None
    sides = [request.sizes([item]) for item in items]
    pairs = []
    for left, right in zip(sides[0] or (), sides[1] or (), strict=False):
        if not isinstance(left, int) or not isinstance(right, int):
            return None
        if not (-one <= left < one and -other <= right < other):
            return None
        pairs.append((left % one, right % other))
    return pairs if sides[0] and sides[1] and len(sides[0]) == len(sides[1]) else None


def chained(request: Request) -> Shape | None:
    """``multi_dot``: matrices of which each takes what the one before it gives."""
    values = request.items(next(iter(request.inputs.values()), None))
    found = [request.shape_of(value) for value in values or ()]
    for one, other in itertools.pairwise(found):
        if one is None or other is None or len(one) != 2 or len(other) != 2 or MORE in one + other:
            return None
        if dimensions.differ(one[1], other[0]):
            request.refuse(Why.SIZE, "tensors", wanted=one[1], given=other[0], dim=0)
    if len(found) < 2 or found[0] is None or found[-1] is None:
        return None
    return (found[0][0], found[-1][1])


def spread_out(request: Request) -> Shape | None:
    """``diag_embed``: what is in the last dimension stands on the diagonals of matrices."""
    shape, offset = request.shape(), request.number("offset", default=0)
    placed = request.number("dim1", default=-2), request.number("dim2", default=-1)
    if shape is None or not shapes.ends(shape)[1] or placed != (-2, -1) or offset is None:
        return None
    side = add(shape[-1], abs(offset))
    return (*shape[:-1], side, side)


def diagonals(request: Request) -> Shape | None:
    """``diag``: a matrix of a vector, or the other way round."""
    shape, offset = request.shape(), request.number("diagonal", default=0)
    if offset is None or shape is None or not shapes.is_whole(shape):
        return None
    if len(shape) not in {1, 2}:
        request.refuse(Why.RANK, wanted=(1, 2), given=len(shape))
    if len(shape) == 1:
        side = add(shape[0], abs(offset))
        return (side, side)
    return (_smaller(*shape),) if offset == 0 else (None,)


def covariance(request: Request) -> Shape | None:
    """``cov`` and ``corrcoef``: of each row with each."""
    shape = request.shape()
    rank = shapes.rank(shape)
    if shape is None or rank is None:
        return None
    if rank > 2:
        request.refuse(Why.RANK, wanted=(1, 2), given=rank)
    rows = shape[0] if rank == 2 else 1
    if not isinstance(rows, int):
        # Of one row it is a number.
        return None
    return (rows, rows) if rows > 1 else ()


def kronecker(request: Request) -> Shape | None:
    """``kron``: each dimension is the product of two."""
    one, other = request.shape(), request.shape("other")
    if one is None or other is None or not (shapes.is_whole(one) and shapes.is_whole(other)):
        return None
    rank = max(len(one), len(other))
    padded = [(*(1,) * (rank - len(shape)), *shape) for shape in (one, other)]
    return tuple(multiply(*pair) for pair in zip(*padded, strict=True))


def blocks(request: Request) -> Shape | None:
    """``block_diag``: matrices along the diagonal of one."""
    found = [request.shape_of(value) for value in request.inputs.values()]
    if any(shape is None or len(shape) != 2 or MORE in shape for shape in found):
        return None
    sides = [[shape[at] for shape in found if shape is not None] for at in (0, 1)]
    return tuple(map(dimensions.total, sides))


def turned(request: Request) -> Shape | None:
    """``rot90``: two dimensions change places, or none."""
    shape, times = request.shape(), request.number("k", default=1)
    value = request.value("dims")
    dims = request.sizes([value]) if value is not None else (0, 1)
    if shape is None or times is None or dims is None or len(dims) != 2:
        return None
    places = [place(request, shape, dim) for dim in dims if isinstance(dim, int)]
    if len(places) < 2 or None in places or places[0] == places[1] or not shapes.is_whole(shape):
        return None
    swapped, (one, other) = list(shape), (at or 0 for at in places)
    if times % 2:
        swapped[one], swapped[other] = swapped[other], swapped[one]
    return tuple(swapped)
