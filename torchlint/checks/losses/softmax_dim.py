"""TL310: softmax along a dimension that nobody chose, or over the batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.losses import Normalisation
from torchlint.interpreter.questions import losses
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import BY_NUMBER, OVER_FIRST
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL310",
    name="softmax-dim",
    level=Level.CORRECTNESS,
    words={"Softmax()", "LogSoftmax()", BY_NUMBER, OVER_FIRST},
    inside={BY_NUMBER, OVER_FIRST},
    alone={BY_NUMBER, OVER_FIRST},
)
def softmax_dim(trace: Trace) -> Iterator[Claim]:
    """A softmax normalises over the batch, or over a dimension that nobody chose."""
    claimed = set()
    for event, shown in losses.batch_normalised(trace):
        claimed.add(event.spot)
        message = (
            f"{event.label} over the first dimension makes the samples of a batch compete with "
            f"each other: {shown}"
        )
        yield Claim(event.spot, message)
    for event, how in losses.otherwise_read(trace):
        if event.spot not in claimed:
            claimed.add(event.spot)
            yield Claim(event.spot, f"{event.label} over the first dimension: {how}")
    for event in trace.of(Normalisation):
        if event.dim is None and event.is_along_dim and event.spot not in claimed:
            chosen = (
                "picks a dimension by the number of them: the first of three, the second of four"
            )
            refused = "raises TypeError: only those of torch.nn pick one"
            message = f"{event.label} without `dim` {refused if event.demands else chosen}"
            yield Claim(event.spot, message, level=Level.SUSPICIOUS)
