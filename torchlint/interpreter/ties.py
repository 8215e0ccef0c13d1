"""Ties: layers that have the weights of others, or their memory only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.layers import HalfTied
from torchlint.interpreter.values import Instance, Ref, Tensor
from torchlint.interpreter.waiting import Unbuilt
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Node, Spot, Value

_GIVES_LAYERS = Pattern(r"(?:\breturn|\w\.\w+ =)[ \t]+(?:\w+\.)*(?:Sequential|ModuleList)\(")
"""How a function says that it gives a container of layers, or something else one."""

_TURNS = frozenset({"t", "T", "mT", "transpose", "swapaxes", "swapdims", "permute"})


def made(machine: Machine, value: Ref, tensor: Tensor, name: str, spot: Spot) -> None:
    """A new parameter that is made of another layer's shares its memory, and no more.

    Where nothing keeps that layer, there is one parameter.
    """
    theirs = machine.trace.memories.get(value.address)
    function = machine.activation.function
    owner = function.owner if function is not None else None
    new = tensor.node is not None and tensor.node.owner is None
    if theirs is None or owner is None or not new or is_new(machine, Ref(theirs)):
        return
    # A class that sees to the parameters of another by itself takes them out of there.
    if "._parameters[" not in owner.region.text:
        machine.emit(HalfTied, spot, name=name, layer=theirs)


def given(machine: Machine, tensor: Tensor, value: Value, name: str, spot: Spot) -> None:
    """The data of a parameter are to be those of another layer's, in a module that has both."""
    theirs = machine.trace.memories.get(value.address) if isinstance(value, Ref) else None
    own = tensor.node.owner if tensor.node is not None else None
    function = machine.activation.function
    if theirs is None or own is None or own == theirs or function is None or not function.owner:
        return
    if is_new(machine, Ref(theirs)) or _is_left_behind(machine, Ref(theirs)):
        return
    if kinds.is_module(machine.index, function.owner):
        walked = not _is_held(machine, own, tensor.node)
        machine.emit(HalfTied, spot, name=name, layer=theirs, walked=walked)


def viewed(machine: Machine, value: Value, view: Ref, op: str) -> None:
    """A view of the data of a parameter is there: turned around, it is that memory as a whole."""
    layer = machine.trace.memories.get(value.address) if isinstance(value, Ref) else None
    if layer is not None and op.rpartition(".")[2] in _TURNS:
        machine.trace.memories[view.address] = layer


def _is_held(machine: Machine, owner: int, node: Node | None) -> bool:
    """Whether a parameter was reached by its name, and not by going over all of them."""
    record = machine.live.heap.get(owner)
    held = record.attributes.values() if isinstance(record, Instance) else ()
    found = (machine.peek(each) for each in held)
    return any(isinstance(each, Tensor) and each.node is node for each in found)


def is_new(machine: Machine, layer: Ref) -> bool:
    """Whether what builds a module has built the layer in the same call, and not yet kept it.

    It may be part of a whole model that was built there, as one to load weights into.
    """
    function = machine.activation.function
    if function is None or not (
        kinds.is_module(machine.index, function.owner)
        if function.owner is not None
        else _GIVES_LAYERS.search(machine.region.text)
    ):
        return False
    return all(each >= machine.frame for each in _holders(machine, layer))


def _is_left_behind(machine: Machine, layer: Ref) -> bool:
    """Whether constructors were given a network with the layer, and have not kept it so far.

    What is made of its parts has one parameter then.
    """
    built = {
        activation.receiver
        for activation in machine.activations
        if activation.function is not None and activation.function.name == "__init__"
    }
    holders = {Ref(each) for each in _holders(machine, layer)}
    return bool(built) and len(holders) > 1 and built.isdisjoint(holders)


def _holders(machine: Machine, layer: Ref) -> set[int]:
    """A layer, and all modules that it is a part of."""
    heap = machine.live.heap.items()
    owners = [(address, each) for address, each in heap if isinstance(each, Instance)]
    parts, seen = [layer.address], {layer.address}
    while parts:
        held = Ref(parts.pop())
        for address, owner in owners:
            given = owner.given if isinstance(owner, Unbuilt) else ()
            if address not in seen and (held in owner.attributes.values() or held in given):
                seen.add(address)
                parts.append(address)
    return seen


def shares_weight(machine: Machine, layer: Instance) -> bool:
    """Whether another layer has, or may have, the same weight."""
    memory = _memory_of_weight(machine, layer)
    if not memory:
        return False
    layers = [each for each in machine.live.heap.values() if isinstance(each, Instance)]
    return sum(not memory.isdisjoint(_memory_of_weight(machine, each)) for each in layers) > 1


def _memory_of_weight(machine: Machine, layer: Instance) -> frozenset[int]:
    """Where the weight of a layer may lie, if that has been set or read."""
    weight = layer.attributes.get("weight")
    record = machine.peek(weight) if isinstance(weight, Ref) else None
    return record.storages if isinstance(record, Tensor) else frozenset()
