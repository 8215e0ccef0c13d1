"""State dicts, whose tensors are the parameters themselves until somebody copies them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.states import StateTaken, StateUsed
from torchlint.interpreter.holdings import modules_under
from torchlint.interpreter.values import Either, Mapping, Sequence, Storage, Tensor, Tuple

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Ref, Spot, Value


def taken(machine: Machine, module: Ref, spot: Spot) -> Ref:
    """What ``state_dict()`` gives."""
    memory = machine.new(Storage())
    tensor = machine.new(Tensor(None, frozenset({memory.address})))
    modules = frozenset(modules_under(machine, frozenset({module.address})))
    machine.emit(StateTaken, spot, memory=memory.address, modules=modules)
    return machine.new(Mapping((), tensor, machine.rounds))


def used(machine: Machine, value: Value, spot: Spot) -> None:
    """A value is used for what it holds; tensors that may be copies do not count."""
    memories: set[int] = set()
    pending, seen = [value], set()
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        match current:
            case Either(options=items) | Tuple(items=items):
                pending.extend(items)
        match machine.get(current):
            case Mapping(items=pairs, rest=rest):
                pending.extend(item for _, item in pairs)
                pending.extend([rest] if rest is not None else [])
            case Sequence(items=items, rest=rest):
                pending.extend([*items, *([rest] if rest is not None else [])])
            case Tensor(node=None, storages=storages) if len(storages) == 1:
                memories |= storages
    if memories:
        machine.emit(StateUsed, spot, memories=frozenset(memories))
