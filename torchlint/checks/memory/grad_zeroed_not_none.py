"""TL809: gradients that are filled with zeros instead of being dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.speed import Zeroed
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import ZEROED
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL809",
    name="grad-zeroed-not-none",
    level=Level.PEDANTIC,
    words={"set_to_none", ZEROED},
)
def grad_zeroed_not_none(trace: Trace) -> Iterator[Claim]:
    """Gradients are filled with zeros, where dropping them saves the memory and two passes."""
    for zeroed in trace.of(Zeroed):
        how = "`set_to_none=False`" if zeroed.told else "`.grad.zero_()`"
        message = (
            f"{how} writes zeros that the next backward reads and adds to; gradients that are "
            "None are simply stored"
        )
        repair = fixing.dropped(zeroed.spot) if zeroed.told else None
        yield Claim(zeroed.spot, message, repair=repair)
