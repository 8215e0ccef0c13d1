"""TL218: a handler that hides the failures of training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.failures import Swallowed
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL218",
    name="swallowed-failure",
    level=Level.SUSPICIOUS,
    words={"backward()"},
    callers={"backward()"},
)
def swallowed_failure(trace: Trace) -> Iterator[Claim]:
    """A handler hides whatever fails in the training step, and the training goes on."""
    for hidden in trace.of(Swallowed):
        message = "whatever fails in this training step is hidden, and the training goes on"
        yield Claim(hidden.spot, message, ((hidden.tried[0], "this is tried"),))
