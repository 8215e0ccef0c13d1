"""Views: the same elements in other dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.elementwise import place
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import Const

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request
    from torchlint.interpreter.values import Value


def view(request: Request) -> Shape | None:
    """The sizes that are asked for, with the one that stands for the rest worked out."""
    given = request.rest()
    if not given:
        # One size is taken for a type by the table of parameters.
        asked = request.value("dtype")
        if asked is None or request.sizes([asked]) is None:
            return None
        given = [asked]
    return viewed(request, request.shape(), _sizes(request, given), "shape")


def _sizes(request: Request, given: list[Value]) -> Shape | None:
    """The sizes that are asked for; what a size was computed from is no -1."""
    sizes, counted = request.sizes(given), request.sizes(given, counts=True)
    if sizes is None or counted is None or None not in sizes:
        return sizes
    names = frozenset().union(*map(dimensions.names_in, (*sizes, *(request.shape() or ()))))
    return tuple(
        other if one is None and other in names else one
        for one, other in zip(sizes, counted, strict=True)
    )


def viewed(request: Request, shape: Shape | None, wanted: Shape | None, by: str) -> Shape | None:
    """The shape that has these sizes, if it has as many elements."""
    if wanted is None:
        return None
    rests = [at for at, dim in enumerate(wanted) if dim == -1]
    if len(rests) > 1 or any(isinstance(dim, int) and dim < -1 for dim in wanted):
        request.refuse(Why.ARGUMENTS, by=by)
    known = shape if shape is not None and shapes.is_whole(shape) else None
    if not rests:
        if known is not None:
            _count(request, known, wanted, by)
        return wanted
    others = tuple(dim for dim in wanted if dim != -1)
    if known is None or None in others or None in known:
        return tuple(None if dim == -1 else dim for dim in wanted)
    if 0 in others or dimensions.indivisible(known, others):
        if 0 in others and 0 in known and 0 not in wanted:
            return None
        counts = dimensions.product(others), dimensions.product(known)
        request.refuse(Why.COUNT, wanted=counts[0], given=counts[1], dim=rests[0], by=by)
    rest = dimensions.quotient(known, others)
    return tuple(rest if dim == -1 else dim for dim in wanted)


def _count(request: Request, shape: Shape, wanted: Shape, by: str) -> None:
    """Compare the number of elements that there are with that which is asked for."""
    left, right = list(shape), list(wanted)
    for dim in wanted:
        if dim is not None and dim != 0 and dim in left:
            left.remove(dim)
            right.remove(dim)
    given, asked = dimensions.product(left), dimensions.product(right)
    if dimensions.differ(given, asked):
        whole = dimensions.product(wanted), dimensions.product(shape)
        request.refuse(Why.COUNT, wanted=whole[0], given=whole[1], by=by)


def like_other(request: Request) -> Shape | None:
    """The shape of another tensor, for what has as many elements."""
    return viewed(request, request.shape(), request.shape("other"), "other")


def flatten(request: Request) -> Shape | None:
    """Some dimensions put into one."""
    shape = request.shape()
    start = request.number("start_dim", "_1", default=1 if request.layer else 0)
    end = request.number("end_dim", "_2", default=-1)
    if start is None or end is None:
        return None
    if shape is None or not shapes.is_whole(shape):
        if end == -1 and start in {0, 1}:
            head = shapes.ends(shape)[0] if shape is not None else ()
            return (*(head[:start] or (None,) * start), None)
        return None
    places = [place(request, shape, dim) for dim in (start, end)]
    if not shape:
        return (1,)
    first, last = places
    if first is None or last is None:
        return None
    if first > last:
        request.refuse(Why.ARGUMENTS, by="start_dim")
    joined = dimensions.product(shape[first : last + 1])
    return (*shape[:first], joined, *shape[last + 1 :])


def unflatten(request: Request) -> Shape | None:
    """One dimension taken apart into several."""
    shape, dim = request.shape(), request.number("dim")
    value = request.value("unflattened_size", "sizes")
    wanted = request.sizes([value]) if value is not None else None
    if shape is None or dim is None or wanted is None:
        return None
    at = place(request, shape, dim)
    if not shape:
        request.refuse(Why.RANK, wanted=1, given=0)
    if at is None:
        return None
    inner = viewed(request, (shape[at],), wanted, "sizes")
    return None if inner is None else (*shape[:at], *inner, *shape[at + 1 :])


def squeeze(request: Request) -> Shape | None:
    """Without dimensions of one."""
    shape, asked = request.shape(), request.value("dim")
    if shape is None:
        return None
    if asked is None:
        if not shapes.is_whole(shape) or not all(isinstance(dim, int) for dim in shape):
            return None
        return tuple(dim for dim in shape if dim != 1)
    dims = request.sizes([asked])
    if dims is None or not all(isinstance(dim, int) for dim in dims):
        return None
    places = [place(request, shape, dim) for dim in dims if isinstance(dim, int)]
    if len({*places}) < len(places):
        request.refuse(Why.ARGUMENTS, by="dim")
    if not shape:
        return ()
    if None in places or any(not isinstance(shape[at or 0], int) for at in places):
        return None
    kept = [dim for at, dim in enumerate(shape) if at not in places or dim != 1]
    return shapes.plain(tuple(kept))


def unsqueeze(request: Request) -> Shape | None:
    """A dimension of one more."""
    shape, dim = request.shape(), request.number("dim", "_1")
    if dim is None:
        return None
    shape = (MORE,) if shape is None else shape
    head, tail = shapes.ends(shape)
    if shapes.is_whole(shape):
        if not -len(shape) - 1 <= dim <= len(shape):
            request.refuse(Why.RANGE, wanted=len(shape), given=dim, by="dim")
        at = dim if dim >= 0 else len(shape) + 1 + dim
    elif 0 <= dim <= len(head):
        at = dim
    elif dim < 0 and -dim - 1 <= len(tail):
        at = len(shape) + 1 + dim
    elif dim >= 0:
        # What is at the end may stand before it.
        return (*head, *(None,) * (dim - len(head)), 1, MORE)
    else:
        return None
    return (*shape[:at], 1, *shape[at:])


def transpose(request: Request) -> Shape | None:
    """Two dimensions in each other's place."""
    shape = request.shape()
    pair = request.sizes(request.rest()) if request.name not in _TURNED else (-2, -1)
    if request.name == "t" and shapes.least_rank(shape) == 2:
        shape = request.fit("input", (None, None))
    rank = shapes.rank(shape)
    if request.name in {"t", "T"} and rank != 2:
        if rank is not None and rank > 2 and request.name == "t":
            request.refuse(Why.RANK, wanted=2, given=rank)
        return shape if rank is not None and rank < 2 else None
    if request.name == "mT" and rank == 0:
        return shape
    if request.name == "mT" and rank == 1:
        request.refuse(Why.RANK, wanted=2, given=rank)
    if shape is None or pair is None or len(pair) != 2:
        return None
    places = [place(request, shape, dim) for dim in pair if isinstance(dim, int)]
    if len(places) < 2 or None in places:
        return shape if not shape else None
    swapped = list(shape)
    one, other = (at or 0 for at in places)
    if swapped:
        swapped[one], swapped[other] = swapped[other], swapped[one]
    return tuple(swapped)


_TURNED = frozenset({"t", "T", "mT", "adjoint", "H", "mH"})


def permute(request: Request) -> Shape | None:
    """The dimensions in another order."""
    shape, order = request.shape(), request.sizes(request.rest())
    if order is None:
        return None
    if shape is None:
        return (None,) * len(order)
    rank = shapes.rank(shape)
    if (rank is not None and len(order) != rank) or len(order) < shapes.least_rank(shape):
        given = rank if rank is not None else shapes.least_rank(shape)
        request.refuse(Why.RANK, wanted=len(order), given=given, by="dims")
    numbers = [dim for dim in order if isinstance(dim, int)]
    if len(numbers) < len(order):
        return (None,) * len(order)
    beyond = [dim for dim in numbers if not -len(order) <= dim < max(len(order), 1)]
    if beyond:
        request.refuse(Why.RANGE, wanted=len(order), given=beyond[0], by="dim")
    if len({dim % len(order) for dim in numbers}) < len(order):
        request.refuse(Why.ARGUMENTS, by="dims")
    return tuple(shapes.size(shape, dim) for dim in numbers)


def movedim(request: Request) -> Shape | None:
    """Some dimensions taken elsewhere."""
    shape, rank = request.shape(), shapes.rank(request.shape())
    pair = [request.value(name) for name in ("source", "destination")]
    asked = [request.sizes([value]) if value is not None else None for value in pair]
    moves = [move for move in asked if move is not None]
    if shape is None or rank is None or len(moves) < 2:
        return None
    if len(moves[0]) != len(moves[1]):
        request.refuse(Why.ARGUMENTS, by="source")
    sources, targets = (
        [place(request, shape, dim) for dim in move if isinstance(dim, int)] for move in moves
    )
    if None in (*sources, *targets) or len(sources) < len(moves[0]) or not shape:
        return None
    if len({*sources}) < len(sources) or len({*targets}) < len(targets):
        request.refuse(Why.ARGUMENTS, by="source")
    others = iter([at for at in range(rank) if at not in sources])
    order = [sources[targets.index(at)] if at in targets else next(others) for at in range(rank)]
    return tuple(shape[at or 0] for at in order)


def expand(request: Request) -> Shape | None:
    """Dimensions of one made longer, and new ones before them."""
    shape, wanted = request.shape(), request.sizes(request.rest())
    if wanted is None:
        return None
    if shape is None or not shapes.is_whole(shape):
        if len(wanted) < shapes.least_rank(shape):
            request.refuse(Why.RANK, wanted=len(wanted), given=shapes.least_rank(shape), by="size")
        return tuple(None if size == -1 else size for size in wanted)
    added = len(wanted) - len(shape)
    if added < 0:
        request.refuse(Why.RANK, wanted=len(wanted), given=len(shape), by="size")
    if -1 in wanted[:added]:
        request.refuse(Why.ARGUMENTS, by="size")
    dims: list[Dim] = list(wanted[:added])
    for at, (was, size) in enumerate(zip(shape, wanted[added:], strict=True)):
        if size != -1 and was != 1 and dimensions.differ(was, size) and dimensions.differ(was, 1):
            request.refuse(Why.BROADCAST, wanted=size, given=was, dim=at, by="size")
        dims.append(was if size == -1 else size)
    if any(isinstance(dim, int) and dim < 0 for dim in dims):
        return None
    return tuple(dims)


def like_expanded(request: Request) -> Shape | None:
    """The shape of another tensor, that this one is expanded to."""
    other, shape = request.shape("other"), request.shape()
    clash = shapes.clash(shape, other)
    if clash is not None:
        request.refuse(
            Why.BROADCAST, wanted=clash.other, given=clash.one, dim=clash.dim, by="other"
        )
    if (
        shapes.is_whole(shape)
        and shapes.is_whole(other)
        and shape is not None
        and other is not None
    ):
        if len(shape) > len(other):
            request.refuse(Why.RANK, wanted=len(other), given=len(shape), by="other")
        pairs = zip(reversed(shape), reversed(other), strict=False)
        if any(isinstance(was, int) and was > 1 and size == 1 for was, size in pairs):
            request.refuse(Why.BROADCAST, by="other")
    return other


def repeat(request: Request) -> Shape | None:
    """All dimensions so many times as long; arrays alone take an axis."""
    shape, times = request.shape(), request.sizes(request.rest())
    if times is None or request.value("axis") is not None:
        return None
    rank = shapes.rank(shape)
    if shape is None or rank is None:
        return (None,) * len(times) if request.name == "repeat" else None
    if len(times) < rank:
        if request.name == "repeat":
            request.refuse(Why.RANK, wanted=len(times), given=rank, by="repeats")
        times = (*(1,) * (rank - len(times)), *times)
    if any(isinstance(count, int) and count < 0 for count in times):
        return None
    padded = (*(1,) * (len(times) - rank), *shape)
    pairs = zip(padded, times, strict=True)
    return tuple(dimensions.multiply(dim, count) for dim, count in pairs)


def interleaved(request: Request) -> Shape | None:
    """Each element of a dimension so many times."""
    shape, times = request.shape(), request.dim("repeats")
    if not isinstance(request.value("repeats"), Const) and times is None:
        return None
    if shape is None or (isinstance(times, int) and times < 0):
        return None
    if request.value("dim") is None:
        whole = dimensions.product(shape) if shapes.is_whole(shape) else None
        return (dimensions.multiply(whole, times),)
    dim = request.number("dim")
    at = place(request, shape, dim) if dim is not None else None
    if at is None or not shape:
        return None
    return (*shape[:at], dimensions.multiply(shape[at], times), *shape[at + 1 :])


def at_least_rows(request: Request) -> Shape | None:
    """``atleast_2d``: a row of what has no two dimensions."""
    shape = request.shape("tensors")
    several = any(name.startswith("_") for name in request.inputs)
    if shape is None or not shapes.is_whole(shape) or several:
        return None
    return (*(1,) * (2 - len(shape)), *shape)


def diagonal(request: Request) -> Shape | None:
    """The diagonal of two dimensions, at the end."""
    shape = request.shape()
    one, other = request.number("dim1", default=0), request.number("dim2", default=1)
    offset = request.number("offset", default=0)
    if shape is None or one is None or other is None:
        return None
    places = [place(request, shape, dim) for dim in (one, other)]
    if None in places or not shape or not shapes.is_whole(shape):
        return None
    if places[0] == places[1]:
        request.refuse(Why.ARGUMENTS, by="dim1")
    left = tuple(dim for at, dim in enumerate(shape) if at not in places)
    sides = [shape[at or 0] for at in places]
    square = offset == 0 and dimensions.same(*sides)
    smaller = min(sides) if all(isinstance(dim, int) for dim in sides) else None  # type: ignore[type-var]
    return (*left, sides[0] if square else smaller if offset == 0 else None)
