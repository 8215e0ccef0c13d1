"""Targets of losses that carry a graph of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.holdings import owners_of
from torchlint.interpreter.values import Certainty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node, Spot

_KINDS = frozenset(
    "mse_loss l1_loss smooth_l1_loss huber_loss kl_div cross_entropy binary_cross_entropy "
    "binary_cross_entropy_with_logits".split()
)
_MOVES = frozenset("unsqueeze squeeze view reshape to float flatten select rows".split())


def of_teachers(trace: Trace) -> Iterator[tuple[LossCall, Spot | None]]:
    """Losses whose target is computed by modules that are trained by nobody, and not frozen."""
    for loss, held in _walked_back(trace):
        assert loss.target is not None
        behind, whole = owners_of(loss.target.node)
        trained, _ = owners_of(loss.input.node)
        if whole and behind and behind.isdisjoint(held | trained) and not trained.isdisjoint(held):
            yield loss, _made(loss.target.node)


def of_bootstraps(trace: Trace) -> Iterator[tuple[LossCall, Spot | None]]:
    """Losses whose target adds something to a share of what the trained module itself says."""
    for loss, held in _walked_back(trace):
        assert loss.target is not None
        behind, _ = owners_of(loss.target.node)
        trained, _ = owners_of(loss.input.node)
        if behind & trained & held and _adds_to_share(loss.target.node):
            yield loss, _made(loss.target.node)


def _walked_back(trace: Trace) -> Iterator[tuple[LossCall, frozenset[int]]]:
    """Losses of which input and target surely have a graph, with what optimizers hold."""
    for loss in trace.of(LossCall):
        target = loss.target.node if loss.target is not None else None
        if loss.kind not in _KINDS or target is None or loss.input.node is None:
            continue
        if target.certainty is not Certainty.SURE:
            continue
        for backward in trace.of(Backward):
            if backward.node is None or backward.held is None or backward.index < loss.index:
                continue
            if {target, loss.input.node} <= trace.reach(backward.node):
                yield loss, backward.held
                break


def _adds_to_share(node: Node | None) -> bool:
    """Whether a value is a sum of something without graph and a multiple of one with a graph."""
    node = _within(node)
    added = _graphs(node) if node is not None and _last(node) in {"add", "radd"} else []
    share = _within(added[0]) if len(added) == 1 else None
    return share is not None and _last(share) in {"mul", "rmul"} and len(_graphs(share)) == 1


def _graphs(node: Node) -> list[Node]:
    """What a result has its graph from; what a caller hands over is taken to have none."""
    return [
        parent
        for parent in node.parents
        if parent.parents or parent.certainty is not Certainty.UNSEEN
    ]


def _within(node: Node | None) -> Node | None:
    """The operation whose values a result has in another form."""
    while node is not None and _last(node) in _MOVES and len(node.parents) == 1:
        node = node.parents[0]
    return node


def _last(node: Node) -> str:
    return node.op.rpartition(".")[2].strip("_")


def _made(node: Node | None) -> Spot | None:
    return node.spot if node is not None else None
