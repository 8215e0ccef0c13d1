"""TL219: what was there to find a mistake stays in the training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.debugging import Halted
from torchlint.interpreter.questions import debugging
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL219",
    name="debug-left-in",
    level=Level.PEDANTIC,
    words={"backward()", "breakpoint()", "set_trace()"},
    callers={"backward()", "breakpoint()", "set_trace()"},
)
def debug_left_in(trace: Trace) -> Iterator[Claim]:
    """A debugger, profiler, memory history or print of tensors is left in the training."""
    for halted in trace.of(Halted):
        yield Claim(halted.spot, "the program stops here and waits for a debugger")
    for profiled, step in debugging.profiled_trainings(trace):
        because = ((step.spot, "this step is recorded each time"),)
        message = "the profiler records every step of the training: give it a schedule"
        yield Claim(profiled.spot, message, because)
    for history, step in debugging.recorded_trainings(trace):
        because = ((step.spot, "the training goes on under it"),)
        message = "the history of the memory is recorded, and nothing ends that"
        yield Claim(history.spot, message, because)
    for printed, step in debugging.printed_steps(trace):
        because = ((step.spot, "a step is made in the same rounds"),)
        yield Claim(printed.spot, "tensors are printed at every step: each time waits", because)
