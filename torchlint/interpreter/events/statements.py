"""Events of statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot, Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Discarded(Event):
    """The value of an expression that stands as a statement, and goes nowhere."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CutShort(Event):
    """On every path a loop is left in its first round, by a ``return`` or ``break``.

    ``loop`` is what it goes through or tests, ``start`` the number of events before it; ``counts``
    says that it goes through a range, ``carries`` that something is summed, gathered or counted in
    it.
    """

    loop: Spot
    returns: bool
    counts: bool
    carries: bool
    start: int
