"""Gradients that are summed over several batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import GradientRead
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.events.training import Step, Summed
from torchlint.interpreter.values import Const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def undivided(trace: Trace) -> Iterator[tuple[Summed, Step]]:
    """Sums of the gradients of means, and the step of the same loop that uses them."""
    if trace.of(GradientRead):
        return
    for summed in trace.of(Summed):
        if summed.scaled_down or not _is_of_means(trace, summed):
            continue
        for step in trace.of(Step):
            if step.address == summed.address and step.rounds == summed.rounds:
                yield summed, step
                break


def _is_of_means(trace: Trace, summed: Summed) -> bool:
    """Whether what is walked back from is a loss of torch's, with its mean over the batch."""
    if summed.node is None:
        return False
    spots = {node.spot for node in trace.reach(summed.node)}
    losses = [loss for loss in trace.of(LossCall) if loss.spot in spots]
    means = (Const("mean"), None)
    return bool(losses) and all(loss.settings.get("reduction") in means for loss in losses)
