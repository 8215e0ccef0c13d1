"""Writing dimensions for readers, in the names that their code has for them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from torchlint.interpreter.dimensions.algebra import Expression, Floor, add, terms_of

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions.algebra import Atom, Dim, Known, Monomial

_numbers = itertools.count(1)
_MARK = "@"
"""What stands between what readers call a name, and what tells it from its namesakes."""

_BATCH = "batch"
_SEVERAL = "batches"
_EVEN = "="
"""What the number of a batch starts with that is never smaller than the others."""


def new_name(label: str = "N") -> str:
    """A name for a dimension that no other has; readers see the label."""
    return f"{label}{_MARK}{next(_numbers)}"


def new_batch(*, several: bool = False, even: bool = False) -> str:
    """A name for how many samples a loader gives at once, which may surely be ``several``.

    All batches are as large where they are ``even``.
    """
    number = f"{_EVEN if even else ''}{next(_numbers)}"
    return f"N{_MARK}{_SEVERAL if several else _BATCH}{number}"


def is_batch(dim: Dim) -> bool:
    """Whether a dimension is the number of samples that a loader gives at once."""
    return isinstance(dim, str) and dim.partition(_MARK)[2].startswith(_BATCH)


def is_several(dim: Dim) -> bool:
    """Whether a dimension is the samples of a loader that gives more than one at once."""
    return isinstance(dim, str) and dim.partition(_MARK)[2].startswith(_SEVERAL)


def is_even(dim: Dim) -> bool:
    """Whether a dimension is the samples of a loader that always gives as many."""
    return is_batch(dim) and isinstance(dim, str) and _EVEN in dim.partition(_MARK)[2]


def name_of(label: str, address: int) -> str:
    """The name for the number that an object is; it has the same one whenever it is used."""
    return f"{label}{_MARK}of{address}"


def written(dim: Dim) -> str:
    """A dimension as it would stand in code; a question mark where it is not known."""
    if dim is None:
        return "?"
    if isinstance(dim, int):
        return str(dim)
    if isinstance(dim, str):
        return dim.partition(_MARK)[0]
    return _sum(_gathered(dim))


def _gathered(dim: Expression) -> Known:
    """A floor division and a number as one division: ``(H - 3) // 2 + 1`` is ``(H - 1) // 2``."""
    terms = terms_of(dim)
    constant = terms.pop((), 0)
    match list(terms.items()):
        case [((Floor(divisor=int() as by) as floor,), 1)] if constant:
            numerator = add(floor.numerator, constant * by)
            if isinstance(numerator, (str, Expression)):
                # Not in the plainest form, but only to be written.
                return Expression((((Floor(numerator, by),), 1),))
    return dim


def _sum(dim: Known) -> str:
    text = ""
    for monomial, count in terms_of(dim).items():
        sign = " - " if count < 0 else " + "
        if not text:
            sign = "-" if count < 0 else ""
        text += sign + _term(monomial, abs(count), alone=sign != "-")
    return text


def _term(monomial: Monomial, count: int, *, alone: bool) -> str:
    if len(monomial) == 1 and count == 1 and alone:
        return _atom(monomial[0])
    factors = [f"({_atom(atom)})" if isinstance(atom, Floor) else _atom(atom) for atom in monomial]
    return " * ".join([*([str(count)] if count != 1 or not factors else []), *factors])


def _atom(atom: Atom) -> str:
    if isinstance(atom, str):
        return written(atom)
    return f"{_operand(atom.numerator)} // {_operand(atom.divisor)}"


def _operand(dim: Known) -> str:
    text = written(dim)
    return f"({text})" if isinstance(dim, Expression) else text
