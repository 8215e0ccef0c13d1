"""Values that are taken at places of a grid, drawn, or seen as waves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import shapes
from torchlint.interpreter.dimensions import add, floor_divide
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.elementwise import place
from torchlint.interpreter.shaping.mismatch import Why

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request

_SIDES = (2, 3)
"""How many sides images and volumes have."""


def sampled(request: Request) -> Shape | None:
    """``grid_sample``: the channels of an image at each place of a grid."""
    ranks = tuple(sides + 2 for sides in _SIDES)
    shape = request.fit("input", (None, None, None, None, MORE), ranks=ranks)
    grid = request.shape("grid")
    if grid is None or not shapes.is_whole(grid) or shapes.rank(shape) is None:
        return None
    if len(grid) != len(shape):
        request.refuse(Why.RANK, "grid", wanted=len(shape), given=len(grid), by="input")
    request.need(grid[0], shape[0], "grid", 0, "input")
    request.need(grid[-1], len(shape) - 2, "grid", -1, "input")
    return None if 0 in shape else (*shape[:2], *grid[1:-1])


def gridded(request: Request) -> Shape | None:
    """``affine_grid``: a place for each element of an image of a size that is told."""
    theta, value = request.shape("theta"), request.value("size")
    size = request.sizes([value]) if value is not None else None
    if size is None or len(size) - 2 not in _SIDES:
        return None
    sides = len(size) - 2
    if theta is not None:
        request.fit("theta", (size[0], sides, sides + 1), by="size")
    return (size[0], *size[2:], sides)


def drawn(request: Request) -> Shape | None:
    """``multinomial``: so many from each row."""
    shape, count = request.shape(), request.dim("num_samples")
    rank = shapes.rank(shape)
    if rank is not None and rank not in {1, 2}:
        request.refuse(Why.RANK, wanted=(1, 2), given=rank)
    if shape is None or rank is None:
        return None
    replaced = request.flag("replacement")
    length = shape[-1]
    if replaced is False and isinstance(count, int) and isinstance(length, int) and count > length:
        request.refuse(Why.RANGE, wanted=length, given=count, dim=rank - 1, by="k")
    return (*shape[:-1], count)


_LAST = {"fft": 1, "ifft": 1, "rfft": 1, "irfft": 1, "hfft": 1, "ihfft": 1, "rfft2": 2, "fft2": 2}
_LAST |= {"ifft2": 2, "irfft2": 2, "rfftn": 0, "fftn": 0, "ifftn": 0, "irfftn": 0}
WAVES = frozenset(_LAST)
"""Fourier transforms."""


def waves(request: Request) -> Shape | None:
    """A Fourier transform: of real numbers half of the last dimension is kept."""
    shape, given = request.shape(), request.value("n", "s")
    dims = _transformed(request, shape)
    if shape is None or not dims or not shapes.is_whole(shape):
        return None
    whole = list(shape)
    if given is not None:
        sizes = request.sizes([given])
        if sizes is None or len(sizes) != len(dims) or -1 in sizes:
            return None
        for dim, size in zip(dims, sizes, strict=True):
            whole[dim] = size
    last = dims[-1]
    whole[last] = _kept(request.name, whole[last], told=given is not None)
    return None if 0 in shape else tuple(whole)


def _kept(name: str, length: Dim, *, told: bool) -> Dim:
    """How long the last dimension is that is transformed."""
    if name.startswith(("rfft", "ihfft")):
        return add(floor_divide(length, 2), 1)
    if name.startswith(("irfft", "hfft")) and not told:
        if not isinstance(length, int) or length < 2:
            return None
        return 2 * (length - 1)
    return length


def _transformed(request: Request, shape: Shape | None) -> list[int]:
    """The dimensions that are transformed; none where they are not known."""
    rank, count = shapes.rank(shape), _LAST[request.name]
    if rank is None or rank < max(count, 1):
        return []
    value = request.value("dim")
    if value is None:
        if request.value("s") is not None and not count:
            return []
        return list(range(rank - count if count else 0, rank))
    asked = request.sizes([value])
    places = [place(request, shape, dim) for dim in asked or () if isinstance(dim, int)]
    known = [at for at in places if at is not None]
    return known if asked and len(known) == len(asked) else []


def halves(request: Request) -> Shape | None:
    """``view_as_complex``: pairs of numbers are one; ``view_as_real``: the other way round."""
    if request.name == "view_as_real":
        shape = request.shape()
        return None if shape is None else (*shape, 2)
    return shapes.plain(request.fit("input", (MORE, 2))[:-1])
