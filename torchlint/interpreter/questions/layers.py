"""What becomes of layers and their parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.layers import Computed, Registered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def lost_parameters(trace: Trace) -> Iterator[Computed]:
    """What modules are given that was computed from parameters which no module ever has."""
    registered = {event.made for event in trace.of(Registered)}
    for event in trace.of(Computed):
        if registered.isdisjoint(event.parameters):
            yield event
