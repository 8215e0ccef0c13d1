"""TL125: a target that is trained along with what it is the target of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import targets
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL125",
    name="undetached-target",
    level=Level.SUSPICIOUS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def undetached_target(trace: Trace) -> Iterator[Claim]:
    """A target carries the graph of a network, into which the loss sends gradients."""
    for loss, made in targets.of_teachers(trace):
        message = (
            "the target carries the graph of a network that no optimizer holds: gradients are "
            "computed and stored there for nothing"
        )
        yield Claim(loss.spot, message, ((made, "the target is computed here"),) if made else ())
    for loss, made in targets.of_bootstraps(trace):
        message = (
            "the target carries the graph of the network that is trained towards it, "
            "which moves the target towards the prediction"
        )
        yield Claim(loss.spot, message, ((made, "the target is computed here"),) if made else ())
