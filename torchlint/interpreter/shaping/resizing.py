"""Padding, and images in another size."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes, sizing
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.dimensions import add, at_least, subtract
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import Const

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request
    from torchlint.interpreter.values import Value

_RANKS = {2: (2, 3), 4: (3, 4), 6: (4, 5)}
"""Of so many numbers a padding that is not constant is for tensors of these ranks."""


def pad(request: Request) -> Shape | None:
    """Something before and after the last dimensions."""
    shape = request.shape()
    amounts = _amounts(request)
    mode = _mode(request)
    if shape is None or amounts is None or mode is None:
        return None
    count = len(amounts) // 2
    if len(amounts) % 2:
        request.refuse(Why.ARGUMENTS, by="pad")
    if mode != "constant":
        ranks = _RANKS.get(len(amounts))
        if ranks is None or 0 in shape:
            return None
        shape = request.fit("input", (MORE, *(None,) * count), ranks=ranks, by="pad")
    tail = shapes.ends(shape)[1]
    if shapes.is_whole(shape) and count > len(shape):
        request.refuse(Why.RANK, wanted=count, given=len(shape), by="pad")
    if count > len(tail):
        return None
    dims = list(shape)
    for at in range(1, count + 1):
        dims[-at] = _padded(request, shape[-at], amounts[2 * at - 2 : 2 * at], -at, mode)
    return tuple(dims)


def _amounts(request: Request) -> tuple[Dim, ...] | None:
    value = request.value("pad", "padding")
    items = request.items(value)
    if items is None and request.layer:
        count = 2 * int(request.operation.label[-2])
        size = request.dim("padding", counts=False)
        return (size,) * count if size is not None else None
    if items is None:
        return None
    return tuple(sizing.dimension(request.machine, item, counts=False) for item in items)


def _mode(request: Request) -> str | None:
    if not request.layer:
        return request.text("mode", "constant")
    kinds = {"Reflec": "reflect", "Replic": "replicate", "Circul": "circular"}
    return kinds.get(request.operation.label[:6], "constant")


def _padded(request: Request, length: Dim, sides: tuple[Dim, ...], at: int, mode: str) -> Dim:
    """The length of a padded dimension; what is reflected or repeated has to be there."""
    whole = add(length, add(*sides))
    if whole is not None and at_least(-1, whole):
        request.refuse(Why.EMPTY, given=whole, dim=at, by="pad")
    if mode == "constant":
        return whole
    for side in sides:
        if mode in {"reflect", "circular"} and side is not None and length is not None:
            limit = length if mode == "circular" else subtract(length, 1)
            if limit is not None and at_least(subtract(side, 1), limit):
                request.refuse(Why.RANGE, wanted=limit, given=side, dim=at, by="pad")
    # Of negative amounts, and of none at all that is left, not every mode will have it.
    settled = all(isinstance(side, int) and side >= 0 for side in sides)
    return whole if settled and whole is not None and at_least(whole, 1) else None


_MODES = {
    "nearest": (3, 4, 5),
    "nearest-exact": (3, 4, 5),
    "area": (3, 4, 5),
    "linear": (3,),
    "bilinear": (4,),
    "bicubic": (4,),
    "lanczos": (4,),
    "trilinear": (5,),
}


def interpolated(request: Request) -> Shape | None:
    """The last dimensions in another size."""
    mode = request.text("mode", "nearest")
    label = request.operation.label
    if label.startswith("Upsampling"):
        mode = "bilinear" if "Bilinear" in label else "nearest"
    ranks = _MODES.get(mode or "", (3, 4, 5))
    if label.startswith("Upsampling") and mode == "nearest":
        ranks = (3, 4, 5)
    pattern: Shape = (None,) * ranks[0] if len(ranks) == 1 else (None, None, None, MORE)
    shape = request.fit("input", pattern, ranks=ranks, by="mode")
    if shapes.rank(shape) is None or 0 in shape:
        return None
    lengths, count = shape[2:], len(shape) - 2
    size, scale = request.value("size"), request.value("scale_factor")
    if (size is None) == (scale is None):
        # What is not known may be None.
        if size is None or (_is_given(request, size) and _is_given(request, scale)):
            request.refuse(Why.ARGUMENTS, by="size")
        return None
    if size is not None:
        made = request.numbers("size", count)
        if any(isinstance(dim, int) and dim < 1 for dim in made):
            return None
        return (*shape[:2], *made)
    scales = _scales(request, scale, count)
    if scales is None or request.value("antialias") is not None:
        return None
    scaled = tuple(_scaled(*pair) for pair in zip(lengths, scales, strict=True))
    return None if 0 in scaled else (*shape[:2], *scaled)


def _is_given(request: Request, value: Value | None) -> bool:
    """Whether a value is surely a number, or several."""
    return isinstance(value, (Const, Number)) or request.items(value) is not None


def _scales(request: Request, value: Value | None, count: int) -> list[float] | None:
    items = request.items(value)
    if items is not None and len(items) != count:
        request.refuse(Why.ARGUMENTS, wanted=count, given=len(items), by="scale_factor")
    values = items if items is not None else [value] * count
    found = [item.value for item in values if isinstance(item, Const)]
    numbers = [float(one) for one in found if isinstance(one, (int, float))]
    return numbers if len(numbers) == count and min(numbers) > 0 else None


def _scaled(length: Dim, scale: float) -> Dim:
    if isinstance(length, int):
        return math.floor(length * scale)
    exact = Fraction(scale)
    if exact.denominator > 16:
        # Of a third, say, it depends on how it is rounded.
        return None
    return dimensions.floor_divide(dimensions.multiply(length, exact.numerator), exact.denominator)
