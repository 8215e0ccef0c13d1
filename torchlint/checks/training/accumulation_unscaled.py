"""TL212: accumulated gradients that grow with the number of batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import accumulation
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL212",
    name="accumulation-unscaled",
    level=Level.PEDANTIC,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def accumulation_unscaled(trace: Trace) -> Iterator[Claim]:
    """Gradients of several batches are summed, and the losses are not divided."""
    for summed, step in accumulation.undivided(trace):
        because = ((step.spot, "the step uses the sum"),)
        message = "the gradients of several batches are summed: divide the loss by their number"
        yield Claim(summed.spot, message, because)
