"""Optimizers that hold something else than what is trained."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Built, Step
from torchlint.interpreter.holdings import owners_of
from torchlint.interpreter.questions.steps import futile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.holdings import Stranger
    from torchlint.interpreter.optimisation import Optimizer
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node, Spot


def built_of_nothing(trace: Trace) -> Iterator[tuple[Built, Spot | None]]:
    """Optimizers of an empty collection, or of a generator that was iterated before, and where."""
    for built in trace.of(Built):
        if built.empty or built.drained is not None:
            yield built, built.drained


def of_no_leaf(trace: Trace) -> Iterator[tuple[Built, Node, bool]]:
    """Optimizers that are given what was computed, and where.

    The flag tells of what was only moved: that is a leaf still where nothing moves it.
    """
    for built in trace.of(Built):
        if (node := built.derived) is None:
            continue
        if node.op != "to":
            yield built, node, False
        elif _is_made_on_the_cpu(node.parents[0]) and node.parents[0] not in trace.afar:
            yield built, node, True


def _is_made_on_the_cpu(leaf: Node) -> bool:
    """Whether a leaf is made by a function that is asked for gradients, and for no device."""
    call = leaf.spot.node if leaf.op == "leaf" and leaf.spot is not None else None
    named = {each.arg for each in call.keywords} if isinstance(call, ast.Call) else set()
    return "requires_grad" in named and named.isdisjoint({"device", None})


def of_another_model(trace: Trace) -> Iterator[tuple[Spot, Spot]]:
    """Optimizers that get nothing of the backwards before their steps; and such a backward."""
    for step in futile(trace):
        missed = step.missed()
        if missed is None or step.optimizer.spot is None or step.last.frozen:
            continue
        if step.cut_off() is None:
            yield step.optimizer.spot, missed.spot


def of_frozen(trace: Trace) -> Iterator[tuple[Optimizer, Step]]:
    """Optimizers that step, and nothing of what they hold is trained."""
    for address, optimizer in trace.optimizers.items():
        steps = [step for step in trace.of(Step) if step.address == address]
        if steps and all(step.frozen for step in steps) and optimizer.spot is not None:
            yield optimizer, steps[-1]


def built_too_early(trace: Trace) -> Iterator[tuple[Optimizer, Stranger, Step]]:
    """Optimizers that were built before a layer was added that a backward reaches."""
    reached: set[int] = set()
    for backward in trace.of(Backward):
        reached |= owners_of(backward.node)[0]
    for address, optimizer in trace.optimizers.items():
        steps = [step for step in trace.of(Step) if step.address == address and step.strangers]
        if not steps or optimizer.spot is None or optimizer.escaped or address in trace.escaped:
            continue
        for stranger in steps[-1].strangers:
            if stranger.spot is not None and (stranger.within or stranger.address in reached):
                yield optimizer, stranger, steps[-1]
                break
