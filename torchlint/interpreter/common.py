"""What two tensors have in common, where a value may be either of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import edges, forms, shapes
from torchlint.interpreter.cuts import together
from torchlint.interpreter.ranges import hull
from torchlint.interpreter.values import Certainty, Node, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.values import Device


def join_tensors(left: Tensor, right: Tensor) -> Tensor:
    """The facts that two tensors have in common."""
    return Tensor(
        node=_join_nodes(left.node, right.node),
        storages=left.storages | right.storages,
        range=hull([left.range, right.range]),
        device=_join_devices(left.device, right.device),
        scalar=left.scalar and right.scalar,
        argument=left.argument if left.argument == right.argument else "",
        leaf=left.leaf and right.leaf,
        dtype=left.dtype if left.dtype == right.dtype else None,
        shape=shapes.common(left.shape, right.shape),
        since=min(left.since, right.since),
        origin=max(left.origin, right.origin),
        cuts=together((*left.cuts, *right.cuts)),
        unreduced=left.unreduced if right.unreduced is not None else None,
        retains=left.retains or right.retains,
        edge=edges.either(left.edge, right.edge),
        spread=left.spread if left.spread == right.spread else None,
        formula=left.formula if left.formula == right.formula else None,
        form=forms.joined(left.form, right.form),
        span=left.span if left.span == right.span else None,
        repeats=left.repeats if left.repeats == right.repeats else None,
    )


def _join_devices(left: Device | None, right: Device | None) -> Device | None:
    """Where both are; what may be of a wider type than the module's is, on some way."""
    if left == right or left is None or right is None:
        return left if left == right else None
    if left.kind == right.kind == "follows":
        return left if right.wide else right
    kinds = {left.kind: left, right.kind: right}
    return kinds.get("widened") if kinds.keys() == {"widened", "follows"} else None


def _join_nodes(left: Node | None, right: Node | None) -> Node | None:
    if left is right:
        return left
    if left is None or right is None:
        known = left or right
        assert known is not None
        return Node("join", known.spot, (known,), Certainty.UNSEEN)
    sure = left.certainty is right.certainty
    certainty = left.certainty if sure else Certainty.UNSEEN
    if {left.certainty, right.certainty} == {Certainty.SURE, Certainty.ASSUMED}:
        certainty = Certainty.ASSUMED
    return Node("join", left.spot, (left, right), certainty)
