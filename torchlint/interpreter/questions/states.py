"""States that are kept while the training goes on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.events.states import NamedAgain, StateTaken, StateUsed
from torchlint.interpreter.events.training import Step
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
                if state.index < step.index < use.index and _trains(step, state):
                    seen.add(state.spot)
                    yield state, step, use
                    break


def second_names(trace: Trace) -> Iterator[tuple[NamedAgain, str, Step]]:
    """Models that are kept as the best one under another name, and a step that trains them on."""
    seen = set()
    for named in trace.of(NamedAgain):
        steps = [s for s in trace.of(Step) if s.index > named.index and _trains(s, named)]
        if not steps or named.spot in seen or not isinstance(named.spot.node, ast.expr):
            continue
        seen.add(named.spot)
        if name := bests.name_of_best(named.spot.region, named.spot.node):
            yield named, name, steps[0]


def _trains(step: Step, state: StateTaken | NamedAgain) -> bool:
    """Whether the optimizer surely holds what the state is of."""
    if step.optimizer is None or step.optimizer.parameters is None:
        return False
    return not step.optimizer.parameters.owners.isdisjoint(state.modules)
