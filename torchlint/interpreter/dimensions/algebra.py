"""The algebra of dimensions: polynomials in names with whole coefficients, and floor divisions."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, Union

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Atom: TypeAlias = Union[str, "Floor"]
Monomial: TypeAlias = tuple[Atom, ...]
Known: TypeAlias = Union[int, str, "Expression"]
Dim: TypeAlias = Union[int, str, "Expression", None]
Shape: TypeAlias = tuple[Dim, ...]

_MOST_TERMS = 24
_LONGEST = 240
"""What grows beyond this, in terms or in writing, is not known any more."""

_CONSTANT: Monomial = ()


class Expression:
    """A polynomial of at least one name or floor division; ``terms`` are in one order."""

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: tuple[tuple[Monomial, int], ...]) -> None:
        self.terms = terms
        self._hash = hash(terms)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Expression)
            and self._hash == other._hash
            and self.terms == other.terms
        )

    def __repr__(self) -> str:
        return " + ".join("*".join([str(c), *map(_key, atoms)]) for atoms, c in self.terms)


class Floor:
    """The whole part of a quotient: an atom of expressions."""

    __slots__ = ("_hash", "depth", "divisor", "key", "numerator")

    def __init__(self, numerator: Expression | str | int, divisor: Known) -> None:
        self.numerator = numerator
        self.divisor = divisor
        self.key = f"[{numerator!r} / {divisor!r}]"
        self.depth = 1 + max(_depth(numerator), _depth(divisor))
        self._hash = hash((numerator, divisor))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Floor) and self.key == other.key

    def __repr__(self) -> str:
        return self.key


def _key(atom: Atom) -> str:
    return atom if isinstance(atom, str) else atom.key


def _depth(dim: Known) -> int:
    if not isinstance(dim, Expression):
        return 0
    return max((a.depth for m, _ in dim.terms for a in m if isinstance(a, Floor)), default=0)


def terms_of(dim: Known) -> dict[Monomial, int]:
    """A dimension as a sum: the coefficient of each product of atoms."""
    if isinstance(dim, int):
        return {_CONSTANT: dim} if dim else {}
    if isinstance(dim, str):
        return {(dim,): 1}
    return dict(dim.terms)


def made(terms: Mapping[Monomial, int]) -> Dim:
    """The dimension that a sum is, in its plainest form; None where it is too long."""
    kept = {monomial: count for monomial, count in terms.items() if count}
    if not kept:
        return 0
    if len(kept) == 1:
        ((monomial, count),) = kept.items()
        if not monomial:
            return count
        if count == 1 and len(monomial) == 1 and isinstance(monomial[0], str):
            return monomial[0]
    ranked = sorted([(*_rank(monomial), monomial) for monomial in kept], key=lambda rank: rank[:2])
    if len(ranked) > _MOST_TERMS or any(len(keys) > _LONGEST for _, keys, _ in ranked):
        return None
    return Expression(tuple((monomial, kept[monomial]) for *_, monomial in ranked))


def _rank(monomial: Monomial) -> tuple[int, str]:
    """The place of a product in a sum: long ones first."""
    return (-len(monomial), "*".join(map(_key, monomial)))


def add(one: Dim, other: Dim) -> Dim:
    """The sum of two dimensions."""
    if type(one) is int and type(other) is int:
        return one + other
    if one is None or other is None:
        return None
    return _plus(one, other)


@lru_cache(maxsize=2048)
def _plus(one: Known, other: Known) -> Dim:
    terms = terms_of(one)
    for monomial, count in terms_of(other).items():
        terms[monomial] = terms.get(monomial, 0) + count
    return made(terms)


def subtract(one: Dim, other: Dim) -> Dim:
    """The difference of two dimensions."""
    if type(one) is int and type(other) is int:
        return one - other
    return 0 if one is not None and one == other else add(one, multiply(-1, other))


def multiply(one: Dim, other: Dim) -> Dim:
    """The product of two dimensions."""
    if type(one) is int and type(other) is int:
        return one * other
    if one == 1:
        return other
    if other == 1:
        return one
    if one == 0 or other == 0:
        return 0
    if one is None or other is None:
        return None
    return _times(one, other)


@lru_cache(maxsize=2048)
def _times(one: Known, other: Known) -> Dim:
    terms: dict[Monomial, int] = {}
    others = terms_of(other)
    for left, count in terms_of(one).items():
        for right, times in others.items():
            both = tuple(sorted((*left, *right), key=_key)) if left and right else left or right
            terms[both] = terms.get(both, 0) + count * times
    return made(terms)


def product(dims: Iterable[Dim]) -> Dim:
    """The product of dimensions."""
    whole: Dim = 1
    for dim in dims:
        whole = multiply(whole, dim)
    return whole


def total(dims: Iterable[Dim]) -> Dim:
    """The sum of dimensions."""
    whole: Dim = 0
    for dim in dims:
        whole = add(whole, dim)
    return whole


def is_sum(dim: Dim) -> bool:
    """Whether a dimension is a sum of names and nothing else, as that of tuples would look."""
    return isinstance(dim, Expression) and all(
        len(monomial) == 1 and isinstance(monomial[0], str) and count > 0
        for monomial, count in dim.terms
    )


def divided(dim: Dim, by: Dim) -> Dim:
    """The quotient of two dimensions where the division leaves no rest; else None."""
    if dim is None or by is None or by == 0:
        return None
    rest, quotient = terms_of(dim), dict[Monomial, int]()
    leading, count = min(terms_of(by).items(), key=lambda term: _rank(term[0]))
    for _ in range(_MOST_TERMS):
        if not rest:
            return made(quotient)
        monomial = min(rest, key=_rank)
        left = without(monomial, leading)
        if left is None or rest[monomial] % count:
            return None
        times = rest[monomial] // count
        quotient[left] = quotient.get(left, 0) + times
        taken = multiply(made({left: -times}), by)
        remaining = None if taken is None else add(made(rest), taken)
        if remaining is None:
            return None
        rest = terms_of(remaining)
    return None


def without(monomial: Monomial, part: Monomial) -> Monomial | None:
    """A product with the atoms of another taken out; None where they are not all in it."""
    if not part:
        return monomial
    counted = Counter(monomial)
    counted.subtract(part)
    if min(counted.values()) < 0:
        return None
    return tuple(sorted(counted.elements(), key=_key))


def floor_divide(dim: Dim, by: Dim) -> Dim:
    """``dim // by``, for what is divided by something positive."""
    if dim is None or by is None or (isinstance(by, int) and by <= 0):
        return None
    if isinstance(dim, int) and isinstance(by, int):
        return dim // by
    if by == 1:
        return dim
    if isinstance(by, int):
        return _floor_by_number(dim, by)
    exact = divided(dim, by)
    return exact if exact is not None else _floor_by_name(dim, by)


@lru_cache(maxsize=2048)
def _floor_by_number(dim: Known, by: int) -> Dim:
    whole: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for monomial, count in terms_of(dim).items():
        whole[monomial], rest[monomial] = divmod(count, by)
    common = math.gcd(by, *(count for monomial, count in rest.items() if monomial))
    if common > 1:
        rest = {monomial: count // common for monomial, count in rest.items()}
        by //= common
    numerator = made(rest)
    if by == 1 or isinstance(numerator, int):
        left = numerator if by == 1 else 0
        return add(made(whole), left)
    if numerator is None:
        return None
    return add(made(whole), _nested(numerator, by) or _floor(numerator, by))


def _nested(numerator: Known, by: int) -> Dim:
    """A floor division of another one by a number, which is one by their product."""
    rest = terms_of(numerator)
    constant = rest.pop(_CONSTANT, 0)
    match list(rest.items()):
        case [((Floor(divisor=int() as inner) as floor,), 1)]:
            return floor_divide(add(floor.numerator, constant * inner), inner * by)
    return None


def _floor_by_name(dim: Known, by: str | Expression) -> Dim:
    divisor = terms_of(by)
    if len(divisor) > 1:
        return _floor(dim, by)
    ((leading, count),) = divisor.items()
    whole: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for monomial, times in terms_of(dim).items():
        left = without(monomial, leading)
        if left is None:
            rest[monomial] = times
            continue
        whole[left], remaining = divmod(times, count)
        rest[monomial] = remaining
    numerator = made(rest)
    if numerator is None:
        return None
    return add(made(whole), 0 if numerator == 0 else _floor(numerator, by))


def _floor(numerator: Known, by: Known) -> Dim:
    return made({(Floor(numerator, by),): 1})


def ceil_divide(dim: Dim, by: Dim) -> Dim:
    """The quotient of two dimensions, rounded up."""
    return floor_divide(add(dim, subtract(by, 1)), by)


def modulo(dim: Dim, by: Dim) -> Dim:
    """``dim % by``."""
    return subtract(dim, multiply(by, floor_divide(dim, by)))


def names_in(dim: Dim) -> frozenset[str]:
    """The names that a dimension is computed from."""
    if isinstance(dim, str):
        return frozenset((dim,))
    if not isinstance(dim, Expression):
        return frozenset()
    found: set[str] = set()
    for monomial, _ in dim.terms:
        for atom in monomial:
            if isinstance(atom, str):
                found.add(atom)
            else:
                found |= names_in(atom.numerator) | names_in(atom.divisor)
    return frozenset(found)


def replaced(dim: Dim, name: str, by: Dim) -> Dim:
    """A dimension where a name stands for another one."""
    if dim == name:
        return by
    if not isinstance(dim, Expression) or name not in names_in(dim):
        return dim
    whole: Dim = 0
    for monomial, count in dim.terms:
        whole = add(whole, multiply(count, product(_put(atom, name, by) for atom in monomial)))
    return whole


def _put(atom: Atom, name: str, by: Dim) -> Dim:
    if isinstance(atom, str):
        return by if atom == name else atom
    return floor_divide(replaced(atom.numerator, name, by), replaced(atom.divisor, name, by))


def value(dim: Dim, names: Mapping[str, int]) -> int | None:
    """The number that a dimension is for these values of its names; None if it is not known."""
    if isinstance(dim, int):
        return dim
    if isinstance(dim, str):
        return names.get(dim)
    if dim is None:
        return None
    whole = 0
    for monomial, count in dim.terms:
        for atom in monomial:
            known = names.get(atom) if isinstance(atom, str) else _floored(atom, names)
            if known is None:
                return None
            count *= known
        whole += count
    return whole


def _floored(floor: Floor, names: Mapping[str, int]) -> int | None:
    numerator, divisor = value(floor.numerator, names), value(floor.divisor, names)
    return numerator // divisor if numerator is not None and divisor else None
