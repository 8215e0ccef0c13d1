"""Loops over batches or epochs that are over before their second round."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.events.modes import Metric, Pass
from torchlint.interpreter.events.statements import CutShort
from torchlint.interpreter.events.training import Built, Step
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

E = TypeVar("E", bound=Event)


def training_cut_short(trace: Trace) -> Iterator[tuple[CutShort, Step, bool]]:
    """Loops that train something older than themselves, and are left in their first round.

    Gives the step, and whether more rounds are surely meant: of batches one may be all that is
    wanted, unless something is summed over them.
    """
    for short in trace.of(CutShort):
        built = {event.address for event in _within(trace, short, Built)}
        steps = [
            step
            for step in _within(trace, short, Step)
            if step.address not in built and (short.counts or _is_direct(short, step))
        ]
        meant = short.carries or short.counts
        if steps and (meant or short.returns):
            yield short, steps[-1], meant and short.returns


def evaluation_cut_short(trace: Trace) -> Iterator[tuple[CutShort, Event]]:
    """Loops that measure or gather what a model gives, and return it in their first round."""
    for short in trace.of(CutShort):
        if not short.returns or not short.carries:
            continue
        training: tuple[type[Event], ...] = (Step, Backward)
        if any(_within(trace, short, kind) for kind in training):
            continue
        measuring: tuple[type[Event], ...] = (Pass, LossCall, Metric)
        found = [
            event
            for kind in measuring
            for event in _within(trace, short, kind)
            if _is_direct(short, event)
        ]
        if found:
            yield short, found[0]


def is_one_look(trace: Trace, event: Event) -> bool:
    """Whether something happens in a loop that is over in its first round, and in no other."""
    return any(
        short.start <= event.index < short.index and not short.rounds and _is_direct(short, event)
        for short in trace.of(CutShort)
    )


def _within(trace: Trace, short: CutShort, kind: type[E]) -> list[E]:
    return [event for event in trace.of(kind) if short.start <= event.index < short.index]


def _is_direct(short: CutShort, event: Event) -> bool:
    """Whether something happens in the rounds of a loop, and in no loop within it."""
    return len(event.rounds) <= len(short.rounds) + 1
