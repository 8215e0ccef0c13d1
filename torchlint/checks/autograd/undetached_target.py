"""TL125: a target that is trained along with what it is the target of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import targets
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Chain, Trace
    from torchlint.interpreter.values import Node


@check(
    code="TL125",
    name="undetached-target",
    level=Level.SUSPICIOUS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def undetached_target(trace: Trace) -> Iterator[Claim]:
    """A target carries the graph of a network, into which the loss sends gradients."""
    for loss, target in targets.of_teachers(trace):
        message = (
            "the target carries the graph of a network that no optimizer trains: gradients are "
            "computed and stored there for nothing"
        )
        yield Claim(loss.spot, message, _made(target))
    for loss, target in targets.of_bootstraps(trace):
        message = (
            "the target carries the graph of the network that is trained towards it, "
            "which moves the target towards the prediction"
        )
        yield Claim(loss.spot, message, _made(target))


def _made(target: Node) -> Chain:
    """Where a target is computed, if that is in sight."""
    return ((target.spot, "the target is computed here"),) if target.spot is not None else ()
