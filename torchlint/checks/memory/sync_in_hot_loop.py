"""TL803: a training loop that waits for the device in every step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import speed
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL803",
    name="sync-in-hot-loop",
    level=Level.PEDANTIC,
    words={"backward()"},
    callers={"backward()"},
)
def sync_in_hot_loop(trace: Trace) -> Iterator[Claim]:
    """The program asks for values that are on a device, and waits for them, at every step."""
    for needed, step in speed.needed_each_step(trace):
        because = ((step.spot, "each round makes a training step"),)
        message = (
            f"`{needed.how}` makes the program wait for the device at every training step, instead "
            "of preparing the next one"
        )
        yield Claim(needed.spot, message, because)
