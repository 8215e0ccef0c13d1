"""What is done to leaves, and to the tools of autograd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.autograd import Anomaly, LeafWrite
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.hooks import HookDropped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot


def leaf_writes(trace: Trace) -> Iterator[LeafWrite]:
    """Changes in place of leaves that happen under the grad mode that the trace shows.

    A method that only writes into parameters may be there to be called without one.
    """
    trains = trace.forward or trace.program or bool(trace.of(Backward))
    for write in trace.of(LeafWrite):
        if trains or write.local:
            yield write


def searches(trace: Trace) -> Iterator[tuple[Anomaly, Backward]]:
    """Where anomaly detection is switched on unasked, and a loop that trains then."""
    switches = trace.of(Anomaly)
    for number, switch in enumerate(switches):
        end = switches[number + 1].index if number + 1 < len(switches) else len(trace.events)
        if not switch.on or switch.asked:
            continue
        for backward in trace.of(Backward):
            if switch.index < backward.index < end and backward.rounds:
                yield switch, backward
                break


def leaked_hooks(trace: Trace) -> Iterator[HookDropped]:
    """Hooks that are registered again and again on one module: by its forward, or in training."""
    trained = {round_ for backward in trace.of(Backward) for round_ in backward.rounds}
    seen: set[tuple[Spot, int]] = set()
    for hook in trace.of(HookDropped):
        key = hook.spot, hook.module
        if hook.forward or (key in seen and not trained.isdisjoint(hook.rounds)):
            yield hook
        seen.add(key)
