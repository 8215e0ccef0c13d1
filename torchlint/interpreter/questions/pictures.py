"""Pictures: arithmetic on bytes that goes beyond them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.pictures import Meant, Wraps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def wrapped(trace: Trace) -> Iterator[Wraps]:
    """Arithmetic that wraps around, where what is done with it does not make that right again."""
    meant = {spot for event in trace.of(Meant) for spot in event.spots}
    told = set(meant)
    for event in trace.of(Wraps):
        if event.spot not in told:
            told.add(event.spot)
            yield event
