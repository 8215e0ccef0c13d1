"""TL215: state that is thrown away with every batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import rebuilding
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL215",
    name="rebuilt-in-loop",
    level=Level.SUSPICIOUS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def rebuilt_in_loop(trace: Trace) -> Iterator[Claim]:
    """An optimizer, scheduler or scaler is built anew for every step, and forgets all."""
    for built, step in rebuilding.optimizers(trace):
        because = ((step.spot, "it takes one step, and is dropped"),)
        message = "the optimizer is built anew in every round: its state is lost each time"
        level = None if rebuilding.remembers(built) else Level.PEDANTIC
        yield Claim(built.spot, message, because, level=level)
    for schedule, scheduled in rebuilding.schedulers(trace):
        because = ((scheduled.spot, "it takes one step, and is dropped"),)
        message = "the scheduler is built anew in every round: it always starts from the beginning"
        yield Claim(schedule.spot, message, because)
    for scaler, call in rebuilding.scalers(trace):
        because = ((call.spot, "it takes one step, and is dropped"),)
        message = "the scaler is built anew in every round: its scale never adapts"
        yield Claim(scaler.spot, message, because)
