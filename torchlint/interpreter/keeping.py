"""Keeping: what the forward of a module leaves on its object, graph and all, for the next call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import forwards, tensors
from torchlint.interpreter.events.layers import Kept
from torchlint.interpreter.graphs import back
from torchlint.interpreter.values import Certainty, Instance, Ref, Sequence, Tensor, options_of
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Node, Spot, Value

BOUNDED = "bounded deque"
"""The kind of a deque that drops what is old."""

_IN_TRAINING = "self.training"


def appended(machine: Machine, owner: Ref, value: Value, spot: Spot) -> None:
    """A list gets an item: one that a module has from before its forward began grows in each."""
    forward = forwards.running(machine)
    if forward is None or owner.address > forward.frame or not any(_graphs(machine, value)):
        return
    sequence = machine.get(owner)
    if isinstance(sequence, Sequence) and (sequence.escaped or sequence.kind == BOUNDED):
        return
    for activation in machine.activations:
        holder = machine.get(activation.receiver) if activation.receiver is not None else None
        for name, held in holder.attributes.items() if isinstance(holder, Instance) else ():
            if held == owner:
                assert isinstance(holder, Instance)
                _note(machine, holder, name, spot)
                return


def assigned(machine: Machine, owner: Ref, name: str, value: Value, spot: Spot) -> None:
    """A module gets an attribute in its forward: perhaps computed from that of an earlier call."""
    forward = forwards.running(machine)
    if forward is None or owner.address > forward.frame:
        return
    graphs = frozenset(_graphs(machine, value))
    key = owner.address, name
    call, earlier = machine.trace.left.get(key, (0, frozenset()))
    if call == forward.frame:
        machine.trace.left[key] = call, earlier | graphs
        return
    machine.trace.left[key] = forward.frame, graphs
    carried = frozenset(
        node for node in earlier if any(node in machine.trace.reach(one) for one in graphs)
    )
    if carried:
        holder = machine.get(owner)
        assert isinstance(holder, Instance)
        _note(machine, holder, name, spot, carried)


def _graphs(machine: Machine, value: Value) -> Iterator[Node]:
    """The graphs that a value, or what it consists of, surely has."""
    for part in (part for one in options_of(value) for part in tensors.flatten(machine, one)):
        record = machine.get(part)
        node = record.node if isinstance(record, Tensor) and not record.leaf else None
        if node is not None and node.certainty is Certainty.SURE:
            yield node


def _note(
    machine: Machine,
    holder: Instance,
    name: str,
    spot: Spot,
    carried: frozenset[Node] = frozenset(),
) -> None:
    """Write it down, where it happens in every call in training."""
    definition = holder.cls
    if not isinstance(definition, Definition) or not kinds.is_module(machine.index, definition):
        return
    tests = [test for activation in machine.activations for test in activation.tests]
    if any(test.region.text_of(test.node) != _IN_TRAINING for test in tests):
        return
    family = machine.index.family(definition)
    machine.emit(Kept, spot, family=family, name=name, carried=carried)


def is_way(node: Node) -> bool:
    """Whether a node only stands for what came by way of a holder, or on one of several ways."""
    return node.op in {"kept", "join"}


def is_stored(machine: Machine, item: Value, spot: Spot, stored: Node) -> bool:
    """Whether a container's item was stored by the same statement in an earlier round of a loop.

    What was not known for a tensor then came of the same unseen call as what is ``stored`` now.
    """
    tensor = machine.get(item)
    if not isinstance(tensor, Tensor) or tensor.node is None:
        return False
    calls = {node.spot for node in back([stored], _is_taken) if node.op == "opaque" and node.spot}
    return any(
        (node.spot == spot if node.op == "kept" else node.op == "opaque" and node.spot in calls)
        and machine.made_earlier(node)
        for node in back([tensor.node], lambda node: is_way(node) or _is_taken(node))
    )


def _is_taken(node: Node) -> bool:
    """Whether a node stands for what was taken for a tensor when it was used as one."""
    return node.op == "opaque" and node.spot is None


def is_older(machine: Machine, holder: Ref, node: Node) -> bool:
    """Whether a value was computed before the loop that stores it, and its holder made after that.

    That loop then makes no graphs, and in one around it the holder is another in every round.
    """
    depth = 0
    for made in back([node], is_way):
        if is_way(made):
            continue
        if made.op in {"unclear", "parameter"}:
            # It does not say when it was made.
            return False
        within = made.rounds[: len(machine.rounds)]
        if within != machine.rounds[: len(within)]:
            return False
        depth = max(depth, len(within))
    began = machine.births[depth - 1] if depth else 0
    return depth < len(machine.rounds) and holder.address >= began
