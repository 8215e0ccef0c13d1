"""Leaves of the graph: the tensors in which gradients are stored, and writing into them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import dtypes
from torchlint.interpreter.events.autograd import IntegerGrad, LeafWrite
from torchlint.interpreter.values import TRUE, Certainty, Instance
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Node, Spot, Tensor, Value

_VIEWS = frozenset("select rows T mT H mH chunk split unbind tensor_split".split())

_COPIES = frozenset("to cpu cuda float double half bfloat16 type type_as clone contiguous".split())


def origin(tensor: Tensor) -> Node | None:
    """The leaf that a tensor is or is a view of; None where it is neither for certain."""
    node = tensor.node
    while node is not None and len(node.parents) == 1 and _is_view(node.op):
        node = node.parents[0]
    if node is None or node.parents or node.op not in {"parameter", "leaf"}:
        return None
    return node if tensor.leaf or node is not tensor.node else None


def copied(tensor: Tensor) -> bool:
    """Whether a tensor is for certain a leaf, a view of one, or a copy elsewhere or of its type."""
    node = tensor.node
    while node is not None and len(node.parents) == 1 and (_is_view(node.op) or node.op in _COPIES):
        node = node.parents[0]
    return node is not None and not node.parents and node.op in {"parameter", "leaf"}


def made_as(node: Node) -> str:
    """The operation of a leaf, which all have that it may be."""
    made = {parent.op for parent in node.parents} if node.op == "join" else {node.op}
    return made.pop() if len(made) == 1 else ""


def _is_view(op: str) -> bool:
    return op in _VIEWS or generated.view(op) == "always"


def write(machine: Machine, tensor: Tensor, spot: Spot, how: str) -> None:
    """A change in place of a leaf, or of a view of one, is an event where grad mode is on."""
    leaf = origin(tensor)
    if leaf is None or machine.live.grad is not True or not _is_trained(machine, leaf):
        return
    if machine.choices:
        # The value may be another one, which may well be written into.
        return
    before = machine.trace.of(LeafWrite)
    if before and follows(spot, before[-1].spot):
        return
    machine.emit(
        LeafWrite,
        spot,
        how=how,
        made=_made(machine, leaf),
        view=not tensor.leaf,
        parameter=leaf.op == "parameter",
        local=_is_local(machine, leaf),
    )


def follows(spot: Spot, before: Spot) -> bool:
    """Whether a call is made on what another call gives, as in ``x.mul_(2).add_(1)``."""
    node: ast.AST = spot.node
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
        if node is before.node:
            return True
    return False


def _is_trained(machine: Machine, leaf: Node) -> bool:
    """Whether nobody can have told a leaf that it needs no gradient."""
    if leaf.certainty is not Certainty.SURE:
        return False
    if leaf.owner is None:
        return True
    owner = machine.live.heap.get(leaf.owner)
    return isinstance(owner, Instance) and not owner.escaped and owner.frozen is False


def _made(machine: Machine, leaf: Node) -> Spot | None:
    """Where a leaf was made: the parameter of a layer, where that was built."""
    owner = machine.live.heap.get(leaf.owner) if leaf.owner is not None else None
    return owner.spot if isinstance(owner, Instance) else leaf.spot


def _is_local(machine: Machine, leaf: Node) -> bool:
    """Whether a leaf was made by a function that still runs, under the same grad mode."""
    if leaf.spot is None or leaf.owner is not None:
        return False
    running = [a.function.region for a in machine.activations if a.function is not None]
    return any(region is leaf.spot.region for region in running)


def required(machine: Machine, dtype: object, wanted: Value | None, spot: Spot) -> None:
    """A tensor that is told to require grad must be of a type that has gradients."""
    if wanted == TRUE and isinstance(dtype, str) and dtypes.is_integer(dtype):
        machine.emit(IntegerGrad, spot, dtype=dtype)
