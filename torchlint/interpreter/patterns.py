"""Patterns: what the strings say that `einsum` and einops are given, and where they say nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection

DOTS = "..."
Term: TypeAlias = tuple[str, ...]
Group: TypeAlias = tuple[str, ...]


class PatternError(Exception):
    """Why a pattern cannot be read, or asks for what cannot be."""


@dataclass(frozen=True, slots=True)
class Equation:
    """A sum of products: the axes of each operand, and of the result, by name."""

    terms: tuple[Term, ...]
    result: Term


def equation(text: str) -> Equation:
    """What `torch.einsum` is asked for: one letter an axis, spaces are of no account."""
    left, arrow, right = text.partition("->")
    terms = tuple(_letters(term) for term in left.split(","))
    if arrow:
        result = _letters(right)
        if "," in right:
            raise PatternError("the result is one tensor, without a comma")
    else:
        flat = [axis for term in terms for axis in term if axis != DOTS]
        dots = (DOTS,) if any(DOTS in term for term in terms) else ()
        result = (*dots, *sorted(axis for axis in set(flat) if flat.count(axis) == 1))
    return _whole(Equation(terms, result))


def _letters(text: str) -> Term:
    """The axes of a term: letters, and perhaps three dots."""
    found: list[str] = []
    at = 0
    while at < len(text):
        if text.startswith(DOTS, at):
            if DOTS in found:
                raise PatternError(f"`{text.strip()}` has `...` twice")
            found.append(DOTS)
            at += 3
            continue
        letter = text[at]
        if letter != " " and not (letter.isascii() and letter.isalpha()):
            what = "a dot alone" if letter == "." else repr(letter)
            raise PatternError(f"{what} stands where a letter is due")
        if letter != " ":
            found.append(letter)
        at += 1
    return tuple(found)


def named_equation(text: str) -> Equation:
    """What `einops.einsum` is asked for: names with spaces between them."""
    left, arrow, right = text.partition("->")
    if not arrow or "->" in right:
        raise PatternError("it takes one `->`, with the axes of the result behind it")
    terms = tuple(tuple(axes(term).flat) for term in left.split(","))
    return _whole(Equation(terms, tuple(axes(right).flat)))


def _whole(found: Equation) -> Equation:
    """An equation whose result has axes that are there, each once."""
    known = {axis for term in found.terms for axis in term}
    for axis in found.result:
        if axis != DOTS and axis not in known:
            raise PatternError(f"`{axis}` is in the result, and in no operand")
        if found.result.count(axis) > 1:
            raise PatternError(f"`{axis}` is twice in the result")
    return found


@dataclass(frozen=True, slots=True)
class Axes:
    """One side of a pattern of einops: a group of names for each dimension, or the dots.

    These are one dimension where they are ``folded``, by parentheses around them alone.
    """

    groups: tuple[Group, ...]
    folded: bool = False

    @property
    def flat(self) -> list[str]:
        """All names, in order."""
        return [name for group in self.groups for name in group]

    @property
    def names(self) -> set[str]:
        """The names that are no numbers."""
        return {name for name in self.flat if not name.isdecimal()}


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Both sides of a pattern of einops."""

    left: Axes
    right: Axes


@lru_cache(maxsize=1024)
def axes(text: str, *, blank: bool = False) -> Axes:
    """One side of a pattern; with ``blank`` an underscore stands for any dimension."""
    if text.replace(DOTS, "", 1).count("."):
        raise PatternError("dots stand in threes, and once a side")
    groups: list[Group] = []
    inner: list[str] | None = None
    folded = False
    for token in _tokens(text.replace(DOTS, " … ")):
        if token == "(":
            if inner is not None:
                raise PatternError("parentheses stand in parentheses")
            inner = []
        elif token == ")":
            if inner is None:
                raise PatternError("a parenthesis is closed that was not opened")
            groups.append(tuple(inner))
            folded |= inner == [DOTS]
            inner = None
        else:
            name = _name(token, blank=blank)
            known = [*(inner or ()), *(one for group in groups for one in group)]
            if name in known and name != "_" and not name.isdecimal():
                raise PatternError(f"`{name}` is there twice")
            if inner is not None:
                inner.append(name)
            else:
                groups.append((name,) if name != "1" else ())
    if inner is not None:
        raise PatternError("a parenthesis is not closed")
    return Axes(tuple(tuple(one for one in group if one != "1") for group in groups), folded)


def _tokens(text: str) -> list[str]:
    return [token for token in text.replace("(", " ( ").replace(")", " ) ").split(" ") if token]


def _name(token: str, *, blank: bool) -> str:
    if token == "…":
        return DOTS
    if token.isdecimal():
        if int(token) < 1:
            raise PatternError(f"`{token}` is no size")
        return token
    if token == "_" and blank:
        return token
    if not token.isidentifier() or token.startswith("_") or token.endswith("_"):
        raise PatternError(f"`{token}` is no name for an axis")
    return token


def arrangement(text: str, operation: str, sizes: Collection[str] | None) -> Arrangement:
    """What `rearrange`, `repeat` or `reduce` is asked for, with ``sizes`` for some of the names.

    None stands for sizes that are not known by name.
    """
    sides = text.split("->")
    if len(sides) != 2:
        raise PatternError("it takes one `->`")
    left, right = (axes(side) for side in sides)
    if left.folded or any(DOTS in group and len(group) > 1 for group in left.groups):
        raise PatternError("`...` stands in parentheses on the left")
    if DOTS in right.flat and DOTS not in left.flat:
        raise PatternError("`...` is on the right alone")
    _agree(left, right, operation, sizes)
    if sizes is not None:
        for name in sizes:
            if name not in left.names | right.names:
                raise PatternError(f"`{name}` has a size, and is not in the pattern")
        for group in left.groups:
            open_ = [name for name in group if not name.isdecimal() and name not in sizes]
            if len(open_) > 1:
                names = " and ".join(f"`{name}`" for name in open_)
                raise PatternError(f"the sizes of {names} cannot be told apart")
    return Arrangement(left, right)


def _agree(left: Axes, right: Axes, operation: str, sizes: Collection[str] | None) -> None:
    """Names come in by `repeat` alone, and go by `reduce`."""
    gone, new = left.names - right.names, right.names - left.names
    kept = {"rearrange": (left, right), "repeat": (left,), "reduce": (right,)}[operation]
    numbers = [name for side in kept for name in side.flat if name.isdecimal()]
    if numbers:
        raise PatternError(f"`{numbers[0]}` is no name, and an axis that is kept needs one")
    if gone and operation != "reduce":
        raise PatternError(f"`{min(gone)}` is on the left alone")
    if new and operation != "repeat":
        raise PatternError(f"`{min(new)}` is on the right alone")
    bare = new.difference(sizes) if sizes is not None else set()
    if bare:
        raise PatternError(f"`{min(bare)}` is new, and has no size")
