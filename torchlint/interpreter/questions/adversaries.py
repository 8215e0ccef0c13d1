"""Adversaries: two models with an optimizer each, one of which is judged by the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.cuts import By
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Step
from torchlint.interpreter.questions import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.cuts import Cut
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node

_ON_PURPOSE = frozenset({By.DETACH, By.DATA})
"""Cuts that somebody has written."""


@dataclass(frozen=True)
class Leak:
    """A judge's backward goes on into the judged, whose step uses what it left there."""

    backward: Backward
    judge: Step
    judged: Step


def leaks(trace: Trace) -> Iterator[Leak]:
    """Backwards for one model's step whose gradients another model's step uses as well.

    Both losses have to come through both: the judged model's step is preceded by a backward of its
    own, through the judge.
    """
    for judged in trace.of(Step):
        if not _is_known(trace, judged) or not judged.gradients:
            continue
        spots = {gradients.backward for gradients in judged.gradients if gradients.sure}
        if len(spots) != 1 or any(gradients.may_be_clear for gradients in judged.gradients):
            continue
        walks = [each for each in trace.of(Backward) if each.index < judged.index]
        first = next((each for each in reversed(walks) if each.spot in spots), None)
        if first is None or first is walks[-1]:
            continue
        last = walks[-1]
        for judge in trace.of(Step):
            between = first.index < judge.index < last.index and judge.address != judged.address
            if (
                between
                and _is_known(trace, judge)
                and _judges(trace, first, judge, judged)
                and _judges(trace, last, judge, judged)
            ):
                yield Leak(first, judge, judged)
                break


def _is_known(trace: Trace, step: Step) -> bool:
    """Whether all is known of the optimizer that steps."""
    optimizer = step.optimizer
    if optimizer is None or optimizer.parameters is None or step.address in trace.escaped:
        return False
    return bool(optimizer.held)


def _judges(trace: Trace, backward: Backward, judge: Step, judged: Step) -> bool:
    """Whether a loss was computed by the judge from what the judged has made."""
    assert judge.optimizer is not None
    assert judged.optimizer is not None
    if backward.node is None or not judge.optimizer.held.isdisjoint(judged.optimizer.held):
        return False
    return any(
        any(parent.owner in judge.optimizer.held for parent in node.parents)
        and _leads_to(trace, node, judged.optimizer.held)
        for node in trace.reach(backward.node)
    )


def _leads_to(trace: Trace, node: Node, modules: frozenset[int]) -> bool:
    return any(each.owner in modules for each in trace.reach(node))


def starved(trace: Trace) -> Iterator[tuple[steps.Futile, Cut, Backward]]:
    """Steps without gradients, as their model's output was cut off before another judged it."""
    for futile in steps.futile(trace):
        backward = futile.missed()
        cut = futile.cut_off()
        if backward is not None and cut is not None and cut.by in _ON_PURPOSE:
            yield futile, cut, backward
