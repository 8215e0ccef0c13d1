"""Totals of tensors: what is added to in one round after the other."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import names
from torchlint.interpreter.events.memory import Accumulate, StepTotal
from torchlint.interpreter.graphs import back
from torchlint.interpreter.values import Node, Ref, Tensor
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

SCALING = frozenset({"Tensor.__mul__", "Tensor.__rmul__", "Tensor.__truediv__"})
"""Operations that give a multiple of a tensor."""


_ADDING = frozenset({"add_", "sub_"})


def dropped(machine: Machine, node: ast.expr, value: Value) -> None:
    """A call by itself may add to a tensor by its method."""
    match node:
        case ast.Call(func=ast.Attribute(value=total, attr=name)) if name in _ADDING:
            accumulate(machine, value, node, total)


def accumulate(
    machine: Machine, after: Value, node: ast.AST, target: ast.expr, *, joined: bool = False
) -> None:
    """A statement adds to a total: an event where the total comes from an earlier round.

    What it adds may be ``joined`` to the rest.
    """
    tensor = machine.get(after)
    if not isinstance(tensor, Tensor) or tensor.node is None:
        return
    if machine.live.grad is False:
        # Nothing is recorded, whatever graph there was before.
        return
    spot = machine.spot(node)
    if not machine.rounds:
        if not joined and _lasts(machine, target):
            what = machine.region.source_of(target)
            machine.emit(StepTotal, spot, parts=tensor.node.parents, what=what)
        return
    marked = Node(
        "joined" if joined else "accumulate",
        spot,
        (tensor.node,),
        tensor.node.certainty,
        rounds=machine.rounds,
    )
    machine.set(after, replace(tensor, node=marked))
    summed = machine.spot(node.value) if isinstance(node, ast.Assign) else spot
    earlier = _accumulated(machine, tensor.node, spot, summed)
    if earlier is not None:
        added = [parent for parent in tensor.node.parents if parent is not earlier]
        if added:
            graph = replace(tensor, node=added[-1])
            address = after.address if isinstance(after, Ref) else 0
            what = machine.region.source_of(target)
            facts = {"address": address, "added": graph, "what": what, "joined": joined}
            machine.emit(Accumulate, spot, total=marked, walked=machine.live.walked, **facts)


_STEP = "training_step"
_BETWEEN = frozenset({"__init__", "setup", "on_fit_start", "on_train_start", "on_train_end"})


def _lasts(machine: Machine, target: ast.expr) -> bool:
    """Whether a step of a LightningModule writes to what is set anew between epochs at most.

    Its trainer calls it for each batch.
    """
    function = machine.activation.function
    step = function.definition if function is not None else None
    if step is None or step.name != _STEP or step.nested_in is None:
        return False
    if not isinstance(target, ast.Attribute) or names.dotted(target) != f"self.{target.attr}":
        return False
    if not kinds.is_lightning(machine.index, step.nested_in):
        return False
    writers = [each.method for each in machine.index.family(step.nested_in).writes(target.attr)]
    others = [name for name in writers if name != _STEP]
    return len(others) == len(writers) - 1 and all(
        name in _BETWEEN or "epoch" in name for name in others
    )


def _accumulated(machine: Machine, node: Node, spot: Spot, summed: Spot) -> Node | None:
    """The total of an earlier round, among what a sum is made of.

    Where nothing was known of what was added then, its sum was not known for a tensor.
    """
    totals = {("accumulate", spot), ("joined", spot), ("opaque", summed)}
    for parent in node.parents:
        for current in back([parent], _is_of_totals):
            is_total = (current.op, current.spot) in totals
            if is_total and machine.made_earlier(current):
                return parent
    return None


def _is_of_totals(node: Node) -> bool:
    taken_for_a_tensor = node.op == "opaque" and node.spot is None
    return taken_for_a_tensor or node.op == "join" or node.op in SCALING
