"""Mismatches: shapes that an operation refuses."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.dimensions import names_in

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape


class Why(Enum):
    """What is wrong with the shapes.

    A dimension has another ``SIZE`` than is wanted, or there are more or fewer (``RANK``); a
    ``COUNT`` of elements does not come out; two shapes do not ``BROADCAST``; an index is out of
    ``RANGE``; a result would be ``EMPTY``; ``ARGUMENTS`` do not fit each other, whatever is given.
    """

    SIZE = "size"
    RANK = "rank"
    COUNT = "count"
    BROADCAST = "broadcast"
    RANGE = "range"
    EMPTY = "empty"
    ARGUMENTS = "arguments"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why an operation refuses what it is given, whatever the names in it stand for.

    ``operand`` is the parameter that is given as ``shape``. What is ``given`` there, at ``dim``
    where it is the size of one dimension, ought to be ``wanted``: several ranks are a tuple. ``by``
    is the parameter or setting that wants it, of shape ``other`` if it is a tensor. What a pattern
    asks for is told by ``detail``.
    """

    why: Why
    operand: str
    shape: Shape | None = None
    wanted: Dim | tuple[Dim, ...] = None
    given: Dim = None
    dim: int | None = None
    by: str = ""
    other: Shape | None = None
    detail: str = ""

    @property
    def names(self) -> frozenset[str]:
        """The names of the sizes that do not fit."""
        wanted = self.wanted if isinstance(self.wanted, tuple) else (self.wanted,)
        sizes = (self.given, *wanted, *(self.shape or ()), *(self.other or ()))
        return frozenset().union(*map(names_in, sizes))


class RefusedError(Exception):
    """Unwinds a transfer function that has found a mismatch."""

    def __init__(self, mismatch: Mismatch) -> None:
        super().__init__(mismatch)
        self.mismatch = mismatch
