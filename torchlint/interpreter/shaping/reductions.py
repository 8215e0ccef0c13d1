"""Reductions: sums, means, maxima and the like, over all elements or along dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import shapes
from torchlint.interpreter.shaping.elementwise import broadcast, place
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import NONE, Const

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request
    from torchlint.interpreter.values import Value

NAMES = frozenset(
    "sum mean prod max min amax amin argmax argmin any all norm std var median mode logsumexp "
    "nansum nanmean count_nonzero vector_norm nanmedian".split()
)


def reduced(request: Request) -> Shape | None:
    """The shape that is given, without the dimensions that it is reduced along."""
    shape, asked = request.shape(), _asked(request)
    if asked is None and request.name in {"max", "min"}:
        other = request.inputs.get("other")
        if request.is_tensor(other) and other is not None:
            return broadcast(request, shape, request.shape_of(other), "input", "other")
        asked = other
    if isinstance(asked, Const) and isinstance(asked.value, bool):
        return ()
    keep = request.flag("keepdim", "keepdims")
    if asked is None or asked == NONE:
        return () if keep is False or shape is None else (1,) * len(shape) if keep else None
    dims = request.sizes([asked])
    if dims is None or keep is None or any(not isinstance(dim, int) for dim in dims):
        return None
    if not dims:
        # Of no dimensions in particular means of all, or none, as the function has it.
        return None
    return without(request, shape, dims, keep=keep)


def _asked(request: Request) -> Value | None:
    if request.name == "mode":
        return request.inputs.get("dim", Const(-1))
    return request.inputs.get("dim", request.inputs.get("axis"))


def without(request: Request, shape: Shape | None, dims: Shape, *, keep: bool) -> Shape | None:
    """A shape without some of its dimensions, or with one in their place."""
    places = [place(request, shape, dim) for dim in dims if isinstance(dim, int)]
    if shape is None or (None in places and shape):
        return None
    if len(set(places)) < len(places):
        request.refuse(Why.ARGUMENTS, by="dim")
    if keep:
        return tuple(1 if at in places else dim for at, dim in enumerate(shape))
    return shapes.plain(tuple(dim for at, dim in enumerate(shape) if at not in places))


def pair(request: Request) -> tuple[Shape | None, ...] | None:
    """Two results that are reduced alike."""
    return (reduced(request),) * 2


def quantile(request: Request) -> Shape | None:
    """One of a dimension, or of all; several are asked for by a tensor."""
    asked, dim = request.value("q"), request.number("dim")
    keep = request.flag("keepdim")
    if not isinstance(asked, Const) or keep is None:
        return None
    if request.value("dim") is None:
        return () if not keep else None
    return None if dim is None else without(request, request.shape(), (dim,), keep=keep)


def found(request: Request) -> Shape | None:
    """``nonzero``: so many indices for each that is found."""
    rank = shapes.rank(request.shape())
    plain = request.flag("as_tuple") is False
    return (None, rank) if plain and rank is not None else None


def counted(request: Request) -> Shape | None:
    """``bincount``: how often there is each number in a row of them."""
    request.fit("input", (None,))
    return (None,)


def topk(request: Request) -> Shape | None:
    """The shape that is given, with so many along one dimension."""
    shape, count = request.shape(), request.dim("k")
    dim = request.number("dim", default=-1)
    at = place(request, shape, dim) if dim is not None else None
    if shape is None and dim is not None and dim >= 0:
        # There is such a dimension.
        return (*((None,) * dim), count, shapes.MORE)
    if shape is None or at is None:
        return shape if shape == () and count == 1 else None
    known: Dim = shape[at]
    if isinstance(known, int) and isinstance(count, int) and not 0 <= count <= known:
        request.refuse(Why.RANGE, wanted=known, given=count, dim=at, by="k")
    return (*shape[:at], count, *shape[at + 1 :])


def kthvalue(request: Request) -> Shape | None:
    """The shape that is given, without the dimension that a value is chosen along."""
    shape, dim = request.shape(), request.number("dim", default=-1)
    keep = request.flag("keepdim")
    if dim is None or keep is None:
        return None
    return without(request, shape, (dim,), keep=keep)


def compared(request: Request) -> Shape | None:
    """What a similarity or distance gives for each pair of vectors."""
    shape = broadcast(request, request.shape("x1"), request.shape("x2"), "x1", "x2")
    default = 1 if request.name == "cosine_similarity" else -1
    dim = request.number("dim", default=default)
    keep = request.flag("keepdim")
    return None if dim is None or keep is None else without(request, shape, (dim,), keep=keep)
