"""TL204: a loss that nobody walks back from, and an optimizer that steps all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import steps
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL204",
    name="missing-backward",
    level=Level.CORRECTNESS,
    words={"zero_grad()"},
    callers={"zero_grad()"},
)
def missing_backward(trace: Trace) -> Iterator[Claim]:
    """A loss is computed and the optimizer steps, but nothing backwards."""
    for futile in steps.futile(trace):
        loss, applied = futile.loss(), futile.unused()
        place = loss or applied
        if place is not None:
            what = "the loss is computed" if loss is not None else "the model is applied"
            because = (
                *steps.origin(futile.optimizer),
                (place.spot, f"{what} here, and nothing walks back from it"),
            )
            message = "the optimizer steps without gradients: there is no backward"
            level = steps.level_of(futile.optimizer, Level.SUSPICIOUS)
            yield Claim(futile.last.spot, message, because, level=level)
