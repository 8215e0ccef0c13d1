"""Events of losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.trace import Chain
    from torchlint.interpreter.values import Spot, Tensor


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LossCall(Event):
    """A loss is computed from ``input``; ``kind`` is the functional's name."""

    kind: str
    input: Tensor
    built: Spot | None = None

    @property
    def chain(self) -> Chain:
        """Where the input was brought into its range, and where the loss was built."""
        steps = []
        if self.input.range is not None:
            steps.append((self.input.range.by, f"{self.input.range.op} applied here"))
        if self.built is not None:
            steps.append((self.built, "the loss is built here"))
        return tuple(steps)
