"""TL241: training that goes past Accelerate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.frameworks import Unprepared
from torchlint.interpreter.questions.frameworks import dropped, unmanaged_backwards
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_MISSED = {
    "model": "its gradients are not averaged over the processes",
    "optimizer": "it steps whether gradients are still being accumulated or not, scaled ones too",
    "loader": "every process goes over all of it, and its batches are not moved",
}


@check(
    code="TL241",
    name="accelerate-contract",
    level=Level.CORRECTNESS,
    words={"Accelerator()"},
    callers={"Accelerator()"},
)
def accelerate_contract(trace: Trace) -> Iterator[Claim]:
    """What Accelerate is to manage is trained past it, or was never prepared."""
    for backward, prepared in unmanaged_backwards(trace):
        message = (
            "the model has been prepared by Accelerate, which this backward goes past: use "
            "`accelerator.backward(loss)`, which scales and accumulates"
        )
        yield Claim(backward.spot, message, ((prepared.spot, "it is prepared here"),))
    for prepared in dropped(trace):
        message = "`prepare` returns what it has prepared, and nobody takes it"
        yield Claim(prepared.spot, message)
    for missing in trace.of(Unprepared):
        message = f"this {missing.kind} is never prepared by Accelerate: {_MISSED[missing.kind]}"
        yield Claim(missing.spot, message)
