"""Adversaries: two models with an optimizer each, one of which is judged by the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.cuts import By
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Clear, Step
from torchlint.interpreter.graphs import back
from torchlint.interpreter.questions import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.cuts import Cut
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node, Spot

_ON_PURPOSE = frozenset({By.DETACH, By.DATA})
"""Cuts that somebody has written for one tensor."""

_WRITTEN = _ON_PURPOSE | {By.NO_GRAD}
"""Cuts that somebody has written at all."""


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


@dataclass(frozen=True)
class Starved:
    """A step without gradients: its model's output was cut off before another judged it.

    ``seen`` says that the models are in sight; of others no more is known than whose they are.
    """

    step: Step
    cut: Cut
    backward: Backward
    seen: bool


def starved(trace: Trace) -> Iterator[Starved]:
    """Steps whose model's output was cut off before another judged it, and where."""
    for futile in steps.futile(trace):
        backward = futile.missed()
        cut = futile.cut_off()
        if backward is not None and cut is not None and cut.by in _WRITTEN:
            yield Starved(futile.last, cut, backward, seen=True)
    yield from _starved_unseen(trace)


def _starved_unseen(trace: Trace) -> Iterator[Starved]:
    """Steps after losses that go to what others hold, and are cut off from what is theirs."""
    groups: dict[tuple[Spot, int | None], list[Step]] = {}
    for step in trace.of(Step):
        if step.optimizer is not None and step.optimizer.parameters is not None:
            groups.setdefault((step.spot, step.address), []).append(step)
    for group in groups.values():
        last, gradients = group[-1], {each for step in group for each in step.gradients}
        if last.address in trace.escaped or any(each.sure for each in gradients):
            continue
        walks = [each for each in trace.of(Backward) if each.index < last.index]
        if walks and {each.backward for each in gradients} == {walks[-1].spot}:
            cut = _cut_from_others(trace, last, walks[-1])
            if cut is not None:
                yield Starved(last, cut, walks[-1], seen=False)


def _cut_from_others(trace: Trace, step: Step, backward: Backward) -> Cut | None:
    """A cut that leads to what an optimizer holds, where all else is other optimizers'."""
    others = frozenset[int]()
    for other in trace.of(Step):
        if other.address != step.address and other.optimizer and other.optimizer.parameters:
            others |= other.optimizer.parameters.owners
    nodes = list(trace.reach(backward.node)) if backward.node is not None else []
    if not all(node.owner in others for node in nodes if not node.parents):
        return None
    assert step.optimizer is not None
    assert step.optimizer.parameters is not None
    own = step.optimizer.parameters.owners - others
    cuts = [cut for node in nodes for cut in node.cuts if cut.by in _WRITTEN]
    return next((cut for cut in cuts if _leads_to(trace, cut.of, own)), None)


def unjudged(trace: Trace) -> Iterator[tuple[Cut, Backward, Step]]:
    """Steps of a model by whose loss another judges only what was cut off from it.

    The loss has another part that trains the model, and what it gives to the judge is cleared
    before that steps. Gives the cut, the backward, and the step.
    """
    for judged in trace.of(Step):
        backward = _own_backward(trace, judged)
        if backward is None or backward.node is None:
            continue
        assert judged.optimizer is not None
        judges = {step.address: step for step in trace.of(Step) if step.address != judged.address}
        for judge in judges.values():
            if judge.optimizer is None or not _is_known(trace, judge):
                continue
            held = judge.optimizer.held
            if not held.isdisjoint(judged.optimizer.held) or _uses(trace, judge, backward):
                continue
            judging = _judging(trace, backward.node, held)
            cut = _all_cut(trace, judging, judged.optimizer.held)
            if cut is not None:
                yield cut, backward, judged


def _own_backward(trace: Trace, judged: Step) -> Backward | None:
    """The backward of which a step has all its gradients, if it is the last one before it."""
    if not _is_known(trace, judged):
        return None
    spots = {gradients.backward for gradients in judged.gradients if gradients.sure}
    walks = [each for each in trace.of(Backward) if each.index < judged.index]
    return walks[-1] if walks and spots == {walks[-1].spot} else None


def _uses(trace: Trace, judge: Step, backward: Backward) -> bool:
    """Whether an optimizer steps after a backward without clearing its gradients first."""
    events: list[Step | Clear] = [*trace.of(Step), *trace.of(Clear)]
    after = [e for e in events if e.address == judge.address and e.index > backward.index]
    return not after or isinstance(min(after, key=lambda event: event.index), Step)


def _judging(trace: Trace, root: Node, held: frozenset[int]) -> list[Node]:
    """The operations with parameters of some modules that a loss was computed by."""
    return [
        node for node in trace.reach(root) if any(parent.owner in held for parent in node.parents)
    ]


def _all_cut(trace: Trace, judging: list[Node], of: frozenset[int]) -> Cut | None:
    """A cut that is written between what judges and some modules, if it reaches these by no way."""
    behind = list(back(judging))
    left = of - {node.owner for node in behind}
    cuts = [cut for node in behind for cut in node.cuts if cut.by in _ON_PURPOSE]
    return next((cut for cut in cuts if _leads_to(trace, cut.of, left)), None)
