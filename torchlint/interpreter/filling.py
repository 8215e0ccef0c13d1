"""Filling: which parameters of layers surely hold one number everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import holdings
from torchlint.interpreter.events.layers import Filled
from torchlint.interpreter.values import (
    FALSE,
    NONE,
    UNKNOWN,
    Const,
    Instance,
    Node,
    Parameters,
    Ref,
    Sequence,
    Tensor,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

    Places = frozenset[tuple[int, str]]

_NAMES = ("weight", "bias")


def write(machine: Machine, value: Value, spot: Spot, *, alike: bool) -> None:
    """A tensor gets other values: one number everywhere, or any."""
    tensor = machine.get(value)
    if not isinstance(tensor, Tensor) or not isinstance(value, Ref):
        return
    homes = machine.trace.homes
    places, whole = _places(machine, value, tensor)
    if not places:
        shared = [homes[storage] for storage in tensor.storages if storage in homes]
        places, whole = frozenset().union(*shared), value.address in homes
    if not alike or not whole:
        machine.live.uniform -= places
        return
    homes.update(dict.fromkeys(tensor.storages, places))
    machine.live.uniform |= places
    machine.emit(Filled, spot, places=places)


def is_start(number: Value | None) -> bool:
    """Whether a number may be where a training starts: with larger ones people check by hand."""
    match number:
        case Const(value=bool() | int() | float() as known):
            return abs(known) <= 1
    return False


def share(machine: Machine, value: Value, data: Ref) -> None:
    """The data of a parameter are read: writing to them changes the parameter."""
    tensor, made = machine.get(value), machine.get(data)
    if isinstance(tensor, Tensor) and isinstance(made, Tensor) and isinstance(value, Ref):
        places, whole = _places(machine, value, tensor)
        if places:
            # The address of what is the whole of it, and the memory that views of it have.
            names = [*made.storages, *([data.address] if whole else [])]
            machine.trace.homes.update(dict.fromkeys(names, places))


def forget(machine: Machine, module: Ref) -> None:
    """Nothing is known of what the parameters of a module hold."""
    if machine.live.uniform:
        machine.live.uniform -= frozenset(_under(machine, module.address))


def _places(machine: Machine, value: Ref, tensor: Tensor) -> tuple[Places, bool]:
    """Which parameters of which layers a tensor is, and whether it stands for all of these."""
    match tensor.node:
        case Node(op="parameter", owner=int(owner)):
            layer = machine.live.heap.get(owner)
            known = layer.attributes if isinstance(layer, Instance) else {}
            own = frozenset((owner, name) for name in _NAMES if known.get(name) == value)
            return (own, True) if own else (frozenset(_under(machine, owner)), _is_each(machine))
    return frozenset(), False


def _under(machine: Machine, owner: int) -> Iterator[tuple[int, str]]:
    for address in holdings.modules_under(machine, frozenset({owner}), build=False):
        if isinstance(machine.live.heap.get(address), Instance):
            yield from ((address, name) for name in _NAMES)


def _is_each(machine: Machine) -> bool:
    """Whether this happens to each parameter of a model in turn."""
    if not machine.rounds:
        return False
    source = machine.amounts.sources.get(machine.rounds[-1].loop, UNKNOWN)
    return isinstance(source, Parameters) or isinstance(machine.get(source), Sequence)


def is_even(machine: Machine, layer: Ref, instance: Instance) -> bool:
    """Whether a layer's weight holds one number."""
    return (layer.address, "weight") in machine.live.uniform and not instance.escaped


def has_even_bias(machine: Machine, layer: Ref, instance: Instance) -> bool:
    """Whether a layer's bias holds one number, if it has any."""
    has_none = instance.attributes.get("bias") in (FALSE, NONE)
    return has_none or (layer.address, "bias") in machine.live.uniform
