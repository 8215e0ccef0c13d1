"""What frameworks own of a training loop, and is done past them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.frameworks import ManagedBackward, Prepared
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.statements import Discarded
from torchlint.interpreter.holdings import owners_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def unmanaged_backwards(trace: Trace) -> Iterator[tuple[Backward, Prepared]]:
    """Backwards into modules that Accelerate has prepared, and that it does not get to see."""
    managed = {event.spot for event in trace.of(ManagedBackward)}
    for backward in trace.of(Backward):
        reached = owners_of(backward.node)[0] if backward.spot not in managed else frozenset()
        for prepared in trace.of(Prepared):
            if not reached.isdisjoint(prepared.objects):
                yield backward, prepared
                break


def dropped(trace: Trace) -> Iterator[Prepared]:
    """Preparations whose result nobody takes."""
    discarded = {event.spot for event in trace.of(Discarded)}
    return (prepared for prepared in trace.of(Prepared) if prepared.spot in discarded)
