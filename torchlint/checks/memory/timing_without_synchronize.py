"""TL813: time that is taken before the device is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import speed
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import TIMED
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL813",
    name="timing-without-synchronize",
    level=Level.SUSPICIOUS,
    words={TIMED},
    callers={"backward()"},
)
def timing_without_synchronize(trace: Trace) -> Iterator[Claim]:
    """A clock is read while an accelerator may still be at work, and nothing waits for it."""
    for _, start, work, stop in speed.timed_without_wait(trace):
        because = (
            (start.spot, "the time starts here"),
            (work.spot, "the device is given work here, and the program goes on"),
        )
        message = (
            "the clock is read before the accelerator is done: what is measured is how long it "
            "takes to hand it the work"
        )
        yield Claim(stop.spot, message, because)
