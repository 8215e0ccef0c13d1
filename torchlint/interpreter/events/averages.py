"""Events of averages over batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Averaged(Event):
    """What a loop has summed up is divided by the wrong number.

    That is the number of samples where it is ``means`` of batches, and else the number of batches;
    ``measured`` is where one batch was measured, ``number`` where the number comes from.
    """

    means: bool
    measured: Spot
    number: Spot
