"""TL315: a softmax of a softmax, a sigmoid of a sigmoid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import losses
from torchlint.interpreter.ranges import Kind
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL315",
    name="repeated-normalisation",
    level=Level.SUSPICIOUS,
    words={"LogSoftmax()"},
)
def repeated_normalisation(trace: Trace) -> Iterator[Claim]:
    """What is normalised already is normalised once more."""
    for event, before in losses.probabilities_twice(trace):
        because = ((before.by, f"{before.op} applied here"),)
        if before.kind is Kind.LOG_PROBABILITIES and event.name != "log":
            message = (
                f"{event.label} of log-probabilities works out again what {before.op} has: "
                "`exp` gives the probabilities"
            )
            yield Claim(event.spot, message, because, level=Level.PEDANTIC)
        else:
            effect = "gives NaN" if event.name == "log" else "flattens them"
            what = "log-probabilities" if event.name == "log" else "probabilities"
            message = f"{event.label} of {what} {effect}: {before.op} is applied before it"
            yield Claim(event.spot, message, because)
