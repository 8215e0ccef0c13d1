"""TL510: a method that changes nothing, as a statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.lost import ArrayDropped, FlagRead, LayerDropped
from torchlint.interpreter.questions import devices
from torchlint.interpreter.trace import Claim
from torchlint.project.dropped import RESULT_DROPPED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL510",
    name="result-discarded",
    level=Level.CORRECTNESS,
    words={RESULT_DROPPED},
    callers=ALONE,
)
def result_discarded(trace: Trace) -> Iterator[Claim]:
    """A method that gives a new tensor stands as a statement, which drops what it gives."""
    for dropped, sure in devices.dropped_results(trace):
        message = (
            f"`{dropped.name}()` leaves the tensor as it is and gives another, which is dropped "
            f"here: the {'call' if dropped.written else 'statement'} does nothing"
        )
        yield Claim(dropped.spot, message, level=None if sure else Level.SUSPICIOUS)
    others: list[LayerDropped | ArrayDropped]
    others = [*trace.of(LayerDropped), *trace.of(ArrayDropped)]
    for lost in others:
        what = "layer" if isinstance(lost, LayerDropped) else "array"
        message = (
            f"`{lost.name}()` leaves the {what} as it is and gives another, which is dropped here: "
            "the statement does nothing"
        )
        yield Claim(lost.spot, message)
    for read in trace.of(FlagRead):
        message = (
            "`requires_grad` is only read here, which does nothing; it is to be set to a value"
        )
        yield Claim(read.spot, message)
