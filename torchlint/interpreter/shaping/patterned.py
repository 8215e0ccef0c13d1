"""Operations that are told by a pattern what becomes of which dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from torchlint.interpreter import dimensions, patterns, shapes
from torchlint.interpreter.dimensions import written
from torchlint.interpreter.patterns import DOTS, PatternError
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.elementwise import broadcast
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.sizing import dimension
from torchlint.interpreter.values import Const

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.patterns import Arrangement, Axes, Term
    from torchlint.interpreter.shaping.request import Request

    Sizes = dict[str, Dim]

_REDUCTIONS = frozenset("min max sum mean prod any all".split())

BY = "equation"
"""What all that is wrong with a pattern is wanted by."""


def einsum(request: Request) -> Shape | None:
    """The dimensions that a pattern names on its right, of operands named on its left."""
    values = list(request.inputs.values())
    named = request.name != "einsum"
    text = values.pop(-1 if named else 0) if values else None
    if not isinstance(text, Const) or not isinstance(text.value, str):
        return None
    items = request.items(values[0]) if len(values) == 1 else None
    operands = items if items is not None else values
    try:
        equation = (patterns.named_equation if named else patterns.equation)(text.value)
    except PatternError as error:
        _refuse(request, str(error))
    if items is None and len(values) == 1 and not request.is_tensor(values[0]):
        # It may be a list of operands.
        return None
    if len(equation.terms) != len(operands):
        what = f"it is for {len(equation.terms)} operands, and there are {len(operands)}"
        _refuse(request, what)
    known: Sizes = {}
    dots: Shape | None = ()
    for at, (term, value) in enumerate(zip(equation.terms, operands, strict=True), start=1):
        shape = shapes.of_value(request.machine, value)
        dots = _bound(request, at, term, shape, known, dots)
    if DOTS not in equation.result:
        return tuple(known[axis] for axis in equation.result)
    place = equation.result.index(DOTS)
    middle = dots if dots is not None else (MORE,)
    before, after = equation.result[:place], equation.result[place + 1 :]
    return shapes.plain((*map(known.get, before), *middle, *map(known.get, after)))


def _refuse(request: Request, detail: str) -> NoReturn:
    request.refuse(Why.ARGUMENTS, "operands", by=BY, detail=detail)


def _bound(
    request: Request, at: int, term: Term, shape: Shape | None, known: Sizes, dots: Shape | None
) -> Shape | None:
    """Bind the axes of a term to the dimensions of its operand; gives what the dots are."""
    place = term.index(DOTS) if DOTS in term else len(term)
    before, after = term[:place], term[place + 1 :]
    rank, count = shapes.rank(shape), len(before) + len(after)
    if shape is None or rank is None:
        for axis in before + after:
            known.setdefault(axis, None)
        return None if DOTS in term else dots
    if rank != count and (DOTS not in term or rank < count):
        text = f"`{' '.join(term)}`" if term else "nothing"
        _refuse(request, f"operand {at} is {text}, and has {rank} dimensions")
    places = [*range(len(before)), *range(rank - len(after), rank)]
    for axis, dim in zip(before + after, places, strict=True):
        size = shape[dim]
        known[axis] = _unified(request, axis, known.get(axis, size), size, at)
    if DOTS not in term:
        return dots
    return broadcast(request, dots, shape[len(before) : rank - len(after)], "operands", BY)


def _unified(request: Request, axis: str, one: Dim, other: Dim, at: int) -> Dim:
    """One size for an axis that is there twice; one broadcasts, as elsewhere."""
    if one is None or other is None or one == 1 or other == 1:
        return one if other == 1 else other
    if shapes.clash((one,), (other,)) is not None:
        sizes = f"{written(one)} before, and {written(other)} in operand {at}"
        _refuse(request, f"`{axis}` is {sizes}")
    (both,) = shapes.broadcast((one,), (other,)) or (None,)
    return both


def rearranged(request: Request) -> Shape | None:
    """``rearrange``, ``repeat`` and ``reduce`` of einops."""
    text = request.text("pattern")
    sizes = {
        name: dimension(request.machine, value)
        for name, value in request.inputs.items()
        if name not in {"input", "pattern", "reduction"}
    }
    try:
        found = patterns.arrangement(text or "", request.name.partition("_")[2], sizes)
    except PatternError:
        # It was told where the pattern is handed over.
        return None
    reduction = request.text("reduction", "mean")
    if reduction is not None and reduction not in _REDUCTIONS:
        _refuse(request, f"einops has no reduction `{reduction}`")
    shape = _spread(request, found)
    if shape is None:
        return None
    return _result(found.right, _sizes(request, found.left, shape, sizes), shape, found.left)


def _spread(request: Request, found: Arrangement) -> Shape | None:
    """The shape of what is rearranged, which tells its rank if it was not known."""
    shape, groups = request.shape(), found.left.groups
    count = len(groups)
    rank = shapes.rank(shape)
    dots = (DOTS,) in groups
    if rank is not None and (rank < count - 1 if dots else rank != count):
        wanted = f"at least {count - 1}" if dots else str(count)
        text = f"`{shapes.written(shape)}`"
        _refuse(request, f"it is for {wanted} dimensions, and there are {rank}: {text}")
    if shape is not None and 0 in shape:
        # A name stands for one or more.
        return shape
    pattern = tuple(
        MORE if group == (DOTS,) else dimensions.new_name("-".join(group) or "1")
        for group in groups
    )
    return request.fit("input", pattern, by=BY)


def _sizes(request: Request, left: Axes, shape: Shape, sizes: Sizes) -> Sizes:
    """The size of each name on the left."""
    known = dict(sizes)
    place = left.groups.index((DOTS,)) if (DOTS,) in left.groups else len(left.groups)
    tail = len(left.groups) - place - 1
    dims = [*shape[:place], *([None, *shape[len(shape) - tail :]] if tail >= 0 else [])]
    for group, size in zip(left.groups, dims, strict=True):
        if group == (DOTS,):
            continue
        parts = [int(one) if one.isdecimal() else sizes.get(one) for one in group]
        open_ = [one for one in group if not one.isdecimal() and one not in sizes]
        told = [part for one, part in zip(group, parts, strict=True) if one not in open_]
        what = f"`({' '.join(group)})`" if len(group) > 1 else f"`{group[0] if group else 1}`"
        if not open_ and dimensions.differ(dimensions.product(told), size):
            wanted = written(dimensions.product(told))
            _refuse(request, f"{what} is {wanted}, and the dimension has {written(size)}")
        if open_ and told and dimensions.indivisible([size], told):
            wanted = written(dimensions.product(told))
            _refuse(request, f"{what} is a multiple of {wanted}, and the dimension {written(size)}")
        for name in open_:
            known[name] = dimensions.quotient([size], told) if told else size
    return known


def _result(right: Axes, known: Sizes, shape: Shape, left: Axes) -> Shape | None:
    """The dimensions on the right."""
    place = left.groups.index((DOTS,)) if (DOTS,) in left.groups else 0
    behind = len(left.groups) - place - 1
    middle: Shape = shape[place : len(shape) - behind] if (DOTS,) in left.groups else ()
    dims: list[Dim] = []
    for group in right.groups:
        if group == (DOTS,) and not right.folded:
            dims.extend(middle)
            continue
        parts: list[Dim] = []
        for name in group:
            if name == DOTS:
                parts.extend(middle if MORE not in middle else (None,))
            else:
                parts.append(int(name) if name.isdecimal() else known.get(name))
        dims.append(dimensions.product(parts))
    return shapes.plain(tuple(dims))
