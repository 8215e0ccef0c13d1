"""Events of failures, and of those who hide them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Swallowed(Event):
    """A handler does nothing about any failure of what is tried; ``tried`` is done there."""

    tried: tuple[Spot, ...]
