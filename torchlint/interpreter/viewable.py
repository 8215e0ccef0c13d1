"""Whether a tensor can be seen in other sizes, by how far apart its elements lie.

Dimensions that lie one within the other can be put into one, and any can be taken apart.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.dimensions import Dim, Shape

_SIZES = (2, 3, 4, 6, 12)
_MOST_NAMES = 5
_ENOUGH = 3


def refused(shape: Shape, strides: Shape, wanted: Shape) -> bool | None:
    """Whether torch refuses a view: True for all sizes, False for all but ones, None if it may not.

    Of sizes that are not known by number a few are tried.
    """
    if _never_fits(shape, strides, wanted):
        return True
    if any(_is_taken_for_one(size, new) for size, new in zip(shape, wanted, strict=False)):
        return None
    tried = list(itertools.islice(_values(shape, strides, wanted), _ENOUGH))
    return False if tried and not any(itertools.starmap(_fits, tried)) else None


def _is_taken_for_one(size: Dim, wanted: Dim) -> bool:
    """Whether a view has one in the place of a size that may be one."""
    return wanted == 1 and not dimensions.is_batch(size) and not dimensions.at_least(size, 2)


def _never_fits(shape: Shape, strides: Shape, wanted: Shape) -> bool:
    """Whether two dimensions are torn apart that have to become one, whatever the names are."""
    pairs = [(dim, stride) for dim, stride in zip(shape, strides, strict=True) if dim != 1]
    # All of it is more than what lies behind a dimension.
    ends = [dimensions.product(wanted[at:]) for at in range(1, len(wanted) + 1)]
    for at in range(1, len(pairs)):
        (outer, far), (inner, near) = pairs[at - 1], pairs[at]
        if not (dimensions.at_least(outer, 2) and dimensions.at_least(inner, 2)):
            continue
        if not dimensions.differ(far, dimensions.multiply(inner, near)):
            continue
        behind = dimensions.product(dim for dim, _ in pairs[at:])
        if all(dimensions.differ(end, behind) for end in ends):
            return True
    return False


def _values(
    shape: Shape, strides: Shape, wanted: Shape
) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """Shapes, strides and wanted sizes with numbers for their names, all sizes more than one."""
    every = (*shape, *strides, *(dim for dim in wanted if dim is not None))
    names = sorted(frozenset().union(*map(dimensions.names_in, every)))
    if len(names) > _MOST_NAMES or wanted.count(None) > 1:
        return
    for sizes in itertools.product(_SIZES, repeat=len(names)):
        known = dict(zip(names, sizes, strict=True))
        one, other, new = (
            [_number(dim, known) for dim in dims] for dims in (shape, strides, wanted)
        )
        if None in wanted:
            # It is what is left for it.
            new[wanted.index(None)] = 1
            new[wanted.index(None)] = _product(one) // max(_product(new), 1)
        larger = all(size > 1 for size, dim in zip(one, shape, strict=True) if dim != 1)
        if larger and min(new, default=1) > 0 and _product(one) == _product(new):
            yield one, other, new


def _number(dim: Dim, known: dict[str, int]) -> int:
    return dimensions.value(dim, known) or 0


def _product(sizes: list[int]) -> int:
    whole = 1
    for size in sizes:
        whole *= size
    return whole


def _fits(shape: list[int], strides: list[int], wanted: list[int]) -> bool:
    """Whether there are strides by which a tensor has the wanted sizes."""
    sizes = list(wanted)
    pairs = [(size, stride) for size, stride in zip(shape, strides, strict=True) if size != 1]
    while pairs:
        # What lies one within the other, from the end.
        size, stride = pairs.pop()
        whole = size
        while pairs and pairs[-1][1] == whole * stride:
            whole *= pairs.pop()[0]
        taken = 1
        while sizes and (taken < whole or sizes[-1] == 1):
            taken *= sizes.pop()
        if taken != whole:
            return False
    return all(size == 1 for size in sizes)
