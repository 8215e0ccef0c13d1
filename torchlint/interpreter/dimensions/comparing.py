"""Comparing dimensions: what holds for every positive value of the names in them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torchlint.interpreter.dimensions.algebra import (
    Floor,
    add,
    divided,
    floor_divide,
    made,
    multiply,
    product,
    subtract,
    terms_of,
    without,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.dimensions.algebra import Dim, Known, Monomial

_MOST_FLOORS = 6
"""So many floor divisions are bounded before a comparison is given up."""


def same(one: Dim, other: Dim) -> bool:
    """Whether two dimensions are equal, whatever the names in them stand for."""
    return one is not None and one == other


def differ(one: Dim, other: Dim) -> bool:
    """Whether two dimensions are different, whatever the names in them stand for."""
    if type(one) is int and type(other) is int:
        return one != other
    if one is None or other is None or one == other:
        return False
    difference = subtract(one, other)
    return difference is not None and _is_never_zero(difference)


def at_least(one: Dim, other: Dim) -> bool:
    """Whether a dimension is never smaller than another, whatever the names stand for."""
    if type(one) is int and type(other) is int:
        return one >= other
    difference = add(subtract(one, other), 1)
    return difference is not None and _is_positive(difference)


def quotient(dims: Iterable[Dim], parts: Iterable[Dim]) -> Dim:
    """The product of dimensions, divided by that of others, as far as that can be written.

    It is supposed that the division leaves no rest.
    """
    whole, by = _cancelled(dims, parts)
    if whole is None or by is None:
        return None
    exact = divided(whole, by)
    return exact if exact is not None else floor_divide(whole, by)


def indivisible(dims: Iterable[Dim], parts: Iterable[Dim]) -> bool:
    """Whether a product of dimensions is never a multiple of another."""
    whole, by = _cancelled(dims, parts)
    if whole is None or not isinstance(by, int) or by == 0:
        return False
    terms = terms_of(whole)
    constant = terms.pop((), 0)
    return constant % math.gcd(by, *terms.values()) != 0


def _cancelled(dims: Iterable[Dim], parts: Iterable[Dim]) -> tuple[Dim, Dim]:
    """The products of two lists, without what is in both."""
    left, right = list(dims), list(parts)
    for dim in [dim for dim in right if dim is not None]:
        if dim in left and dim != 0:
            left.remove(dim)
            right.remove(dim)
    whole, by = product(left), product(right)
    if isinstance(by, int) and by > 1 and whole is not None:
        common = math.gcd(by, *terms_of(whole).values())
        return floor_divide(whole, common), by // common
    return whole, by


def _is_never_zero(dim: Known) -> bool:
    if isinstance(dim, int):
        return dim != 0
    if isinstance(dim, str):
        return True
    terms = terms_of(dim)
    constant = terms.pop((), 0)
    if constant % math.gcd(*terms.values()):
        return True
    negative = multiply(-1, dim)
    return _is_positive(dim) or (negative is not None and _is_positive(negative))


def _is_positive(dim: Known) -> bool:
    """Whether a dimension is at least one for all values of its names."""
    if isinstance(dim, int):
        return dim > 0
    if isinstance(dim, str):
        return True
    for _ in range(_MOST_FLOORS):
        floor = _outermost(dim)
        if floor is None:
            return _is_positive_polynomial(terms_of(dim))
        bounded = _bounded(dim, floor)
        if bounded is None:
            return False
        dim = bounded
    return False


def _outermost(dim: Known) -> Floor | None:
    """A floor division that is in no other."""
    floors = [atom for monomial in terms_of(dim) for atom in monomial if isinstance(atom, Floor)]
    return max(floors, key=lambda floor: (floor.depth, floor.key), default=None)


def _bounded(dim: Known, floor: Floor) -> Dim:
    """What is never above ``dim`` times the divisor, and has the division no more.

    With ``q = p // d``, ``d * q`` lies between ``p - d + 1`` and ``p``.
    """
    if not _is_positive(floor.divisor):
        return None
    low = add(subtract(floor.numerator, floor.divisor), 1)
    whole: Dim = 0
    for monomial, count in terms_of(dim).items():
        left = without(monomial, (floor,))
        if left is None:
            term = multiply(made({monomial: count}), floor.divisor)
        elif floor in left or not all(map(_is_natural, left)):
            return None
        else:
            term = multiply(made({left: count}), low if count > 0 else floor.numerator)
        whole = add(whole, term)
    return whole


def _is_natural(atom: str | Floor) -> bool:
    """Whether an atom is never negative."""
    return isinstance(atom, str) or at_least(atom.numerator, 0)


def _is_positive_polynomial(terms: dict[Monomial, int]) -> bool:
    """Whether a polynomial in names is positive where all of them are: as one in names less one.

    That none of its coefficients is negative then is enough.
    """
    shifted: dict[Monomial, int] = {}
    for monomial, count in terms.items():
        parts: dict[Monomial, int] = {(): count}
        for atom in monomial:
            grown: dict[Monomial, int] = {}
            for part, times in parts.items():
                longer = tuple(sorted((*part, atom), key=str))
                grown[part] = grown.get(part, 0) + times
                grown[longer] = grown.get(longer, 0) + times
            parts = grown
        for part, times in parts.items():
            shifted[part] = shifted.get(part, 0) + times
    return shifted.get((), 0) > 0 and min(shifted.values()) >= 0
