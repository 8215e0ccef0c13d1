"""TL806: caches that are emptied at every step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import speed
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_COSTS = {
    "empty_cache": "gives memory back that the next step has to ask for again, and waits for it",
    "collect": "searches all objects of the program, and a step leaves next to nothing to find",
    "synchronize": "makes the program wait for the device before it prepares the next step",
}


@check(
    code="TL806",
    name="empty-cache-in-loop",
    level=Level.PERFORMANCE,
    words={"empty_cache()", "gc", "synchronize()"},
    long_runs=True,
)
def empty_cache_in_loop(trace: Trace) -> Iterator[Claim]:
    """A cache is emptied, garbage collected or the device waited for at every training step."""
    for flushed, step in speed.flushed_each_step(trace):
        cost = _COSTS[flushed.name.rpartition(".")[2]]
        because = ((step.spot, "each round makes a training step"),)
        message = f"`{flushed.name}()` {cost}, at every training step"
        yield Claim(flushed.spot, message, because)
