"""TL231: training that goes past the wrapper which would reduce the gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.distributed import Wrapped, WrapperCall
from torchlint.interpreter.questions.distributed import bypassing
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WORDS = frozenset({"DistributedDataParallel()", "DDP()"})


@check(
    code="TL231",
    name="ddp-bypassed",
    level=Level.CORRECTNESS,
    words=_WORDS,
    callers=_WORDS,
)
def ddp_bypassed(trace: Trace) -> Iterator[Claim]:
    """Parameters are trained past the wrapper that would reduce their gradients."""
    for backward, wrapped in bypassing(trace):
        message = (
            "the loss comes from the module inside of DistributedDataParallel, not from the "
            "wrapper: every process trains with its own gradients"
        )
        yield Claim(backward.spot, message, ((wrapped.spot, "the module is wrapped here"),))
    wrappers = {wrapped.wrapper: wrapped.spot for wrapped in trace.of(Wrapped)}
    for call in trace.of(WrapperCall):
        if call.late is not None:
            message = (
                "this layer is put into the module after it has been wrapped: its gradients are "
                "not reduced, and every process trains its own"
            )
            yield Claim(
                call.late, message, ((wrappers[call.wrapper], "the module is wrapped here"),)
            )
