"""Events of layers and of the functions that stand for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unconditional(Event):
    """A function that is for training is called in a forward, whatever the mode.

    ``mode`` is how the mode is written there, empty where the function does not know its module.
    """

    name: str
    mode: str = ""

    @property
    def normalises(self) -> bool:
        """Whether it normalises, rather than drops."""
        return self.name == "batch_norm"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fresh(Event):
    """A layer is applied in the forward that has built it, and will build another next time.

    ``kind`` is its class; ``holds`` says what is new each time, empty where nothing is. ``within``
    is the place where it is applied.
    """

    kind: str
    holds: str
    within: Spot
