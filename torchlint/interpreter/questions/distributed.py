"""Programs in several processes: what some of them miss, wait for in vain, or do for themselves."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.events.distributed import (
    Collective,
    Unseen,
    WorkAwaited,
    WorkStarted,
    Wrapped,
    WrapperCall,
)
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.processes import TOGETHER
from torchlint.project import around
from torchlint.project.reach import is_in_reach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Event, Trace
    from torchlint.interpreter.values import Node


def partial_collectives(trace: Trace) -> Iterator[Collective]:
    """Collectives that some of the processes call, and the rest do not, here or elsewhere."""
    calls = trace.of(Collective)
    for call in calls:
        rest = TOGETHER - call.ranks
        if call.grouped or not rest or rest == TOGETHER:
            continue
        if not any(_joins(other, call, rest) for other in calls) and not any(
            rest & unseen.ranks for unseen in trace.of(Unseen)
        ):
            yield call


def _joins(other: Collective, call: Collective, rest: frozenset[str]) -> bool:
    """Whether the rest of the processes meet those of a call in another one.

    In the other arm of its ``if`` all may seem to be that a test for the rank sends there, such as
    ``not self.distributed or rank == 0``.
    """
    if other.op != call.op:
        return False
    ranks = other.ranks & TOGETHER
    one, two = call.spot, other.spot
    return ranks == rest or (
        rest <= ranks
        and one.region is two.region
        and around.are_alternatives(one.region, one.node, two.node)
    )


def never_awaited(trace: Trace) -> Iterator[WorkStarted]:
    """Work that nothing waits for, and whose handle nobody else can get at."""
    awaited = {event.work for event in trace.of(WorkAwaited)}
    if None in awaited:
        return
    for started in trace.of(WorkStarted):
        if started.work in awaited or started.work in trace.escaped:
            continue
        function = started.spot.region.statement
        local = isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        if not local or not is_in_reach(function, started.spot.node):
            yield started


def bypassing(trace: Trace) -> Iterator[tuple[Backward, Wrapped]]:
    """Backwards through modules that are wrapped, where nobody has called the wrapper.

    Somebody who reduces anything by hand may reduce these gradients too.
    """
    if trace.of(Collective):
        return
    for backward in trace.of(Backward):
        for wrapped in trace.of(Wrapped):
            trained = wrapped.modules & _owners(trace, backward.node)
            called = (
                call.wrapper == wrapped.wrapper and _in_same_round(call, backward)
                for call in trace.of(WrapperCall)
            )
            if trained and not any(called):
                yield backward, wrapped


def _in_same_round(earlier: Event, later: Event) -> bool:
    """Whether one event comes before another, in no earlier round of a loop around both."""
    rounds = {each.loop: each.number for each in earlier.rounds}
    return earlier.index < later.index and all(
        rounds.get(each.loop, each.number) == each.number for each in later.rounds
    )


def _owners(trace: Trace, node: Node | None) -> frozenset[int]:
    """The modules whose parameters a graph leads to."""
    if node is None:
        return frozenset()
    return frozenset(each.owner for each in trace.reach(node) if each.owner is not None)
