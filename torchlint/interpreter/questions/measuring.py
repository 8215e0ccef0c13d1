"""Measuring: which passes of a model the program asks how good they are, or what they say."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.events.modes import Difference, Metric, Pass, Reading
from torchlint.interpreter.events.states import Load
from torchlint.interpreter.events.training import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.graph import Walk
    from torchlint.interpreter.trace import Trace


def trained(trace: Trace) -> Iterator[Pass]:
    """The passes that a later backward walks back through."""
    return (each for each in trace.of(Pass) if is_walked(trace, each, Backward))


def is_walked(trace: Trace, each: Pass, kind: type[Walk]) -> bool:
    """Whether a later walk of a kind comes back through what a pass gave."""
    return any(
        walk.index > each.index
        and walk.node is not None
        and not trace.reach(walk.node).isdisjoint(each.nodes)
        for walk in trace.of(kind)
    )


def is_in_eval(each: Pass) -> bool:
    """Whether a model has been switched to evaluation for a pass, whichever way it came."""
    return bool(each.modes) and all(mode.training is False for mode in each.modes)


def measured(trace: Trace) -> set[int]:
    """The passes whose results are measured.

    Numbers that are read of the results measure them where the model is in evaluation mode, and
    decisions on a batch where no gradients are recorded; all numbers do so of a model that is
    loaded for nothing else.
    """
    found = {metric.origin for metric in trace.of(Metric)}
    for loss in trace.of(LossCall):
        # Where both are alike to it, what a model gave may come first or second.
        found |= {given.origin for given in (loss.input, loss.target) if given is not None}
    told = {reading.origin for reading in trace.of(Reading)}
    found |= {reading.origin for reading in trace.of(Reading) if _is_compared(reading)}
    found |= {each.index for each in _apart_from_data(trace) if each.index in told}
    found |= {each.index for each in trace.of(Pass) if each.index in told and is_in_eval(each)}
    decided = {reading.origin for reading in trace.of(Reading) if reading.decided}
    found |= {each.index for each in trace.of(Pass) if each.grad is False} & decided
    found |= {each.index for each in _applied_as_loaded(trace) if each.index in told}
    return found


def _apart_from_data(trace: Trace) -> Iterator[Pass]:
    """The passes whose results are held against data, and that nothing is to be learned from."""
    apart = {event.origin for event in trace.of(Difference)}
    learned = frozenset().union(*(each.given for each in trained(trace))) if apart else frozenset()
    for each in trace.of(Pass):
        if each.index in apart and each.given.isdisjoint(learned):
            yield each


def _applied_as_loaded(trace: Trace) -> Iterator[Pass]:
    """The passes, without gradients, of models whose weights are loaded where nothing trains."""
    if [*trace.of(Backward), *trace.of(Step)]:
        return
    loaded = {load.module for load in trace.of(Load)}
    yield from (each for each in trace.of(Pass) if each.grad is False and each.model in loaded)


def _is_compared(reading: Reading) -> bool:
    """Whether a number is read to see if it equals one that is read of something else."""
    match reading.spot.region.parents.get(reading.spot.node):
        case ast.Compare(
            left=ast.Call(func=ast.Attribute(attr="item")),
            ops=[ast.Eq() | ast.NotEq()],
            comparators=[ast.Call(func=ast.Attribute(attr="item"))],
        ):
            return True
    return False
