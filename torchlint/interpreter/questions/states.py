"""States that are kept while the training goes on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.states import NamedAgain, StateTaken, StateUsed
from torchlint.interpreter.events.training import Step
from torchlint.interpreter.holdings import owners_of
from torchlint.project import bests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def overtaken(trace: Trace) -> Iterator[tuple[StateTaken, Step, StateUsed]]:
    """States that are used after a step has changed the parameters that they are."""
    seen = set()
    for use in trace.of(StateUsed):
        for state in trace.of(StateTaken):
            if state.memory not in use.memories or state.spot in seen:
                continue
            for step in trace.of(Step):
                if state.index < step.index < use.index and _trains(trace, step, state):
                    seen.add(state.spot)
                    yield state, step, use
                    break


def second_names(trace: Trace) -> Iterator[tuple[NamedAgain, str, Step]]:
    """Models that are kept as the best one under another name, and a step that trains them on."""
    seen = set()
    for named in trace.of(NamedAgain):
        steps = [s for s in trace.of(Step) if s.index > named.index and _trains(trace, s, named)]
        if not steps or named.spot in seen or not isinstance(named.spot.node, ast.expr):
            continue
        seen.add(named.spot)
        if name := bests.name_of_best(named.spot.region, named.spot.node):
            yield named, name, steps[0]


def _trains(trace: Trace, step: Step, state: StateTaken | NamedAgain) -> bool:
    """Whether the optimizer holds what the state is of.

    One from out of sight does where its gradients are all of a loss that goes to that.
    """
    if step.optimizer is None:
        return False
    if step.optimizer.parameters is not None:
        return not step.optimizer.parameters.owners.isdisjoint(state.modules)
    walked = {each.backward for each in step.gradients if each.sure}
    reached = [owners_of(each.node)[0] for each in trace.of(Backward) if each.spot in walked]
    return all(each.sure for each in step.gradients) and any(
        not owners.isdisjoint(state.modules) for owners in reached
    )
