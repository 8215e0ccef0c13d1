"""Exports: decisions by tensors' values that a recorder or compiler meets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.recording import Decided
from torchlint.interpreter.recording import COMPILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_TRACE = "torch.jit.trace"
_DECISIONS = frozenset({"if", "while", "not"})
_TOLD = "print()"
_CAPTURING = "capture_scalar_outputs"


def decided_once(trace: Trace) -> Iterator[Decided]:
    """What is written down as it was decided for the example."""
    return (each for each in trace.of(Decided) if each.recorder == _TRACE and each.how != _TOLD)


def refused(trace: Trace) -> Iterator[Decided]:
    """Decisions that what records the graph as a whole has no way to write down."""
    for each in trace.of(Decided):
        if each.recorder not in {_TRACE, COMPILE} and each.how in _DECISIONS:
            yield each


def broken(trace: Trace) -> Iterator[Decided]:
    """What ends the graph that is being compiled, unless numbers are made part of it."""
    for each in trace.of(Decided):
        if each.recorder != COMPILE:
            continue
        if each.how in _DECISIONS or _CAPTURING not in each.spot.region.outline.said:
            yield each
