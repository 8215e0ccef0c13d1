"""Targets of losses that carry a graph of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.events.training import Step
from torchlint.interpreter.graphs import back
from torchlint.interpreter.holdings import owners_of
from torchlint.interpreter.values import Certainty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node

_KINDS = frozenset(
    "mse_loss l1_loss smooth_l1_loss huber_loss kl_div cross_entropy binary_cross_entropy "
    "binary_cross_entropy_with_logits".split()
)
_EVEN = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"})
"""Losses that are the same from both sides."""

_MOVES = frozenset("unsqueeze squeeze view reshape to float flatten select rows".split())


def of_teachers(trace: Trace) -> Iterator[tuple[LossCall, Node]]:
    """Losses whose target is computed by modules that are trained by nobody, and not frozen.

    What such a module was given may be trained through it, if it is not known; but hardly where
    its result is discounted and added to something.
    """
    for loss, given, target, held in _walked_back(trace):
        behind, whole = owners_of(target)
        trained, _ = owners_of(given)
        whole = whole or _adds_to_share(target)
        if whole and behind and behind.isdisjoint(held | trained) and not trained.isdisjoint(held):
            yield loss, target


def taught_by(trace: Trace) -> set[int]:
    """The modules that losses have their targets of, and send gradients into for nothing."""
    return {owner for _, target in of_teachers(trace) for owner in owners_of(target)[0]}


def of_bootstraps(trace: Trace) -> Iterator[tuple[LossCall, Node]]:
    """Losses whose target adds something to a share of what the trained module itself says."""
    for loss, given, target, held in _walked_back(trace):
        behind, _ = owners_of(target)
        trained, _ = owners_of(given)
        if behind & trained & held and _adds_to_share(target):
            yield loss, target


def _walked_back(trace: Trace) -> Iterator[tuple[LossCall, Node, Node, frozenset[int]]]:
    """Losses of which input and target surely have a graph, both, and what optimizers hold.

    Those that are the same from both sides are so with either of the two for the target.
    """
    idle = _idle(trace)
    for loss in trace.of(LossCall):
        given, target = loss.input.node, loss.target.node if loss.target is not None else None
        if loss.kind not in _KINDS or target is None or given is None:
            continue
        for backward in trace.of(Backward):
            if backward.node is None or backward.held is None or backward.index < loss.index:
                continue
            if {target, given} <= trace.reach(backward.node):
                held = backward.held - idle
                if target.certainty is Certainty.SURE:
                    yield loss, given, target, held
                if loss.kind in _EVEN and given.certainty is Certainty.SURE:
                    yield loss, target, given, held
                break


def _idle(trace: Trace) -> frozenset[int]:
    """Modules that only optimizers hold which surely never step."""
    if any(step.address is None for step in trace.of(Step)):
        return frozenset()
    stepped = {step.address for step in trace.of(Step)}
    idle: set[int] = set()
    busy: set[int] = set()
    for address, optimizer in trace.optimizers.items():
        seen = optimizer.escaped or address in trace.escaped or address in trace.lasting
        (busy if seen or address in stepped or not optimizer.local else idle).update(optimizer.held)
    return frozenset(idle - busy)


def _adds_to_share(node: Node | None) -> bool:
    """Whether a value is a sum of something without graph and a multiple of one with a graph."""
    node = _within(node)
    added = _graphs(node) if node is not None and _last(node) in {"add", "radd"} else []
    share = _within(added[0]) if len(added) == 1 else None
    return share is not None and _last(share) in {"mul", "rmul"} and len(_graphs(share)) == 1


def _graphs(node: Node) -> list[Node]:
    """What a result has its graph from; what nothing is known of is taken to have none."""
    return [
        parent
        for parent in node.parents
        if any(each.certainty is not Certainty.UNSEEN for each in back([parent]))
    ]


def _within(node: Node | None) -> Node | None:
    """The operation whose values a result has in another form."""
    while node is not None and _last(node) in _MOVES and len(node.parents) == 1:
        node = node.parents[0]
    return node


def _last(node: Node) -> str:
    return node.op.rpartition(".")[2].strip("_")
