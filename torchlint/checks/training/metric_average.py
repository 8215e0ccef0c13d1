"""TL224: an average over batches that is divided by the wrong number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.averages import Averaged
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL224",
    name="metric-average",
    level=Level.PEDANTIC,
    words={"backward()"},
    callers={"backward()"},
)
def metric_average(trace: Trace) -> Iterator[Claim]:
    """Means of batches are divided by the number of samples, or sums by that of batches."""
    for averaged in trace.of(Averaged):
        if averaged.means:
            what, of = "a mean over the batch is summed here", "this is the number of samples"
            message = "means of batches are summed, and divided by the number of samples"
        else:
            what, of = "a sum over the batch is added here", "this is the number of batches"
            message = "sums over batches are divided by the number of batches"
        yield Claim(averaged.spot, message, ((averaged.measured, what), (averaged.number, of)))
