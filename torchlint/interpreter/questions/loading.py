"""Loaders and samplers: who draws what, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.data import (
    EpochSet,
    Pass,
    RankGiven,
    SamplerBuilt,
    WholeLoader,
)
from torchlint.interpreter.events.distributed import WrapperCall
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Event, Trace


def epochs_alike(trace: Trace) -> Iterator[tuple[SamplerBuilt, Pass]]:
    """Shuffling samplers that several passes go over without having been told of the epoch.

    An evaluation may be in any order.
    """
    told = {event.sampler for event in trace.of(EpochSet)}
    for built in trace.of(SamplerBuilt):
        if not built.shuffles or built.sampler in trace.escaped or told & {built.sampler, None}:
            continue
        passes = [
            each
            for each in trace.of(Pass)
            if built.sampler in each.samplers and _trains(trace, each)
        ]
        for each in passes:
            if (
                each.rounds[len(built.rounds) :]
                and each.rounds[: len(built.rounds)] == built.rounds
            ):
                yield built, each
                break


def undivided(trace: Trace) -> Iterator[tuple[WholeLoader, WrapperCall]]:
    """Loaders of whole datasets over which several processes train one model.

    Where anything is told the rank, it may divide the data by it.
    """
    if trace.of(RankGiven):
        return
    for built in trace.of(WholeLoader):
        if built.loader in trace.escaped:
            continue
        for each in trace.of(Pass):
            if each.sure and built.loader in each.loaders:
                calls = [
                    call for call in trace.of(WrapperCall) if call.sure and _within(call, each)
                ]
                if calls and any(_within(backward, each) for backward in trace.of(Backward)):
                    yield built, calls[0]
                    break


def _trains(trace: Trace, loop: Pass) -> bool:
    """Whether gradients are computed or used in the rounds of a loop."""
    return any(_within(event, loop) for event in (*trace.of(Backward), *trace.of(Step)))


def _within(event: Event, loop: Pass) -> bool:
    return any(round_.loop == loop.loop for round_ in event.rounds)
