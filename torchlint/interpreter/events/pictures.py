"""Events of whole numbers of one byte, which wrap around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Wraps(Event):
    """What is computed of ``uint8`` goes from ``low`` to ``high``, beyond what it holds.

    ``sources`` are where the values come from.
    """

    op: str
    low: float
    high: float
    sources: tuple[Spot, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Meant(Event):
    """Something is done with what was computed at ``spots`` that is right if it wrapped around."""

    spots: frozenset[Spot]
