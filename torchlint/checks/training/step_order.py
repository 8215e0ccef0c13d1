"""TL203: steps that come before the gradients, or after these are gone."""

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
    code="TL203",
    name="step-order",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def step_order(trace: Trace) -> Iterator[Claim]:
    """The optimizer steps before the backward, or after its gradients are cleared."""
    for futile in steps.futile(trace):
        level = steps.level_of(futile.optimizer, Level.SUSPICIOUS)
        discarded = futile.discarded()
        late = futile.late()
        if discarded is not None:
            clear, backward = discarded
            because = (
                *steps.origin(futile.optimizer),
                (backward, "the gradients are computed here"),
                (futile.last.spot, "the step finds none"),
            )
            message = "gradients are cleared between the backward and the step that is to use them"
            yield Claim(clear.spot, message, because, level=level)
        elif late is not None:
            because = (
                *steps.origin(futile.optimizer),
                (late, "the gradients come only here, and are cleared before the next step"),
            )
            message = "the optimizer steps before the backward: it finds no gradients"
            yield Claim(futile.last.spot, message, because, level=level)
    told = set()
    for clear, step in steps.wasted(trace):
        if clear.spot not in told:
            told.add(clear.spot)
            because = ((step.spot, "the optimizer steps in some rounds only"),)
            message = (
                "gradients are cleared in every round, so that the step has those of the last one "
                "only"
            )
            yield Claim(clear.spot, message, because, level=Level.SUSPICIOUS)
