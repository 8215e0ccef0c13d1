"""Storing: tensors that a list or dict gets, by themselves or within what it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import keeping, leaves
from torchlint.interpreter.events.memory import Keep
from torchlint.interpreter.values import Mapping, Node, Ref, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Collection

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def keep(
    machine: Machine,
    owner: Value,
    value: Value,
    spot: Spot,
    held: Collection[Value],
    *,
    part: bool = False,
) -> Value:
    """Store a value in a container: tensors are marked as having come by way of it.

    Where the container already holds one from an earlier round of a loop that goes on, that is an
    event: the graphs of all rounds stay alive. A tensor may be ``part`` of what is stored.
    """
    assert isinstance(owner, Ref)
    if isinstance(value, Tuple):
        return _keep_columns(machine, owner, value, spot, held)
    record = machine.peek(value)
    if isinstance(record, Mapping):
        _keep_items(machine, owner, value, record, spot, held)
        return value
    if not isinstance(record, Tensor) or record.node is None or record.leaf:
        return value
    if leaves.copied(record):
        # What a leaf is by itself, or but for a copy, keeps next to nothing that would go away.
        return value
    node = Node(
        "kept",
        spot,
        (record.node,),
        record.node.certainty,
        rounds=machine.rounds,
    )
    older = not machine.rounds or keeping.is_older(machine, owner, record.node)
    if not older and any(keeping.is_stored(machine, item, spot, record.node) for item in held):
        facts = {"container": owner.address, "walked": machine.live.walked, "part": part}
        made = machine.rounds_of(owner.address)
        machine.emit(Keep, spot, node=node, tensor=record, made=made, **facts)
    return machine.new(replace(record, node=node))


def _keep_columns(
    machine: Machine, owner: Value, row: Tuple, spot: Spot, held: Collection[Value]
) -> Tuple:
    """Store what is in a tuple, place by place."""
    columns = [
        [one.items[i] for one in held if isinstance(one, Tuple) and i < len(one.items)]
        for i in range(len(row.items))
    ]
    return Tuple(
        tuple(
            keep(machine, owner, item, spot, column, part=True)
            for item, column in zip(row.items, columns, strict=True)
        )
    )


def _keep_items(
    machine: Machine,
    owner: Value,
    value: Value,
    mapping: Mapping,
    spot: Spot,
    held: Collection[Value],
) -> None:
    """Store the values of a dict that is made anew in each round, key by key."""
    if not machine.rounds or mapping.rounds != machine.rounds:
        return
    others = [other for one in held if isinstance(other := machine.peek(one), Mapping)]
    items = tuple(
        (key, keep(machine, owner, item, spot, _under(others, key), part=True))
        for key, item in mapping.items
    )
    machine.set(value, replace(mapping, items=items))


def _under(mappings: Collection[Mapping], key: object) -> list[Value]:
    """What dicts have under a key."""
    return [value for mapping in mappings for one, value in mapping.items if one == key]
