"""Closures of optimizers: what they return, and what they leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Clear, Step
from torchlint.interpreter.optimisation import Phase
from torchlint.interpreter.values import NONE, Const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot

_NEEDS_CLOSURE = "torch.optim.LBFGS"


def without(trace: Trace) -> Iterator[Step]:
    """Steps that need a closure and get none.

    What may be one of several optimizers, and has got a closure elsewhere, is another one here.
    """
    served = {step.address for step in trace.of(Step) if step.closure is not None}
    for step in _searching(trace):
        is_another = step.optimizer is not None and step.optimizer.either_of
        if step.bare and not (is_another and step.address in served):
            yield step


def called(trace: Trace) -> Iterator[Step]:
    """Steps that get what a closure returns, in place of the closure."""
    for step in trace.of(Step):
        if step.closure is not None and step.closure.called:
            yield step


def silent(trace: Trace) -> Iterator[Step]:
    """Steps whose closure returns nothing, though its value is needed."""
    for step in _searching(trace):
        if step.closure is not None and step.closure.result == NONE:
            yield step


def summing(trace: Trace) -> Iterator[tuple[Step, Spot]]:
    """Steps that call their closure several times, though it clears no gradients."""
    for step in _searching(trace):
        closure, optimizer = step.closure, step.optimizer
        if closure is None or optimizer is None or optimizer.options.get("max_iter") == Const(1):
            continue
        if any(each.phase is Phase.UNSEEN or not each.sure for each in step.gradients):
            continue
        inside = range(closure.start, step.index)
        cleared = any(
            clear.index in inside and clear.address == step.address for clear in trace.of(Clear)
        )
        backwards = [event for event in trace.of(Backward) if event.index in inside]
        if backwards and not cleared:
            yield step, backwards[0].spot


def _searching(trace: Trace) -> Iterator[Step]:
    """The steps of optimizers that search along a line, and ask their closure again and again."""
    for step in trace.of(Step):
        if step.optimizer is not None and step.optimizer.kind == _NEEDS_CLOSURE:
            yield step
