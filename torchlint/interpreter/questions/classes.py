"""Classes of modules: what they hide, and what is written of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.classes import Hidden

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def hidden(trace: Trace) -> Iterator[Hidden]:
    """What modules hide in plain collections, unless it is registered at some other time."""
    seen = set()
    for event in trace.of(Hidden):
        if event.spot not in seen:
            seen.add(event.spot)
            yield event
