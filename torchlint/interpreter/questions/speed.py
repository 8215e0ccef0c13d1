"""What could be had for less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.speed import (
    Clock,
    Created,
    Flushed,
    Joined,
    Moved,
    Regrown,
)
from torchlint.interpreter.events.training import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Event, Trace


def moved_at_once(trace: Trace) -> Iterator[tuple[Moved, Created]]:
    """Tensors that are made on the CPU for another device, and the making."""
    created = {event.spot: event for event in trace.of(Created)}
    for moved in trace.of(Moved):
        made = created.get(moved.source)
        if made is not None:
            yield moved, made


def flushed_each_step(trace: Trace) -> Iterator[tuple[Flushed, Event]]:
    """Flushes in the very rounds that make a step, and that step; those of timers set aside."""
    timed = {clock.rounds[-1] for clock in trace.of(Clock) if clock.rounds}
    for flushed in trace.of(Flushed):
        own = flushed.rounds[-1]
        if own in timed and flushed.name.endswith("synchronize"):
            continue
        for step in (*trace.of(Backward), *trace.of(Step)):
            if step.rounds and step.rounds[-1] == own:
                yield flushed, step
                break


def joined_to_itself(trace: Trace) -> Iterator[tuple[Regrown, Joined]]:
    """Names that are given in every round what they held and a little more."""
    joined = {event.spot: event for event in trace.of(Joined)}
    for regrown in trace.of(Regrown):
        by = joined.get(regrown.call)
        if by is not None:
            yield regrown, by
