"""Places: which tensors of a module stay behind when it moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import edges
from torchlint.interpreter.events.devices import StaysBehind
from torchlint.interpreter.values import Device, Instance, Ref, Sequence, Tensor
from torchlint.project.outline import Definition
from torchlint.torch_api import placing

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def belongs(machine: Machine, owner: Ref, name: str, value: Value, spot: Spot) -> Value:
    """A module under construction gets an attribute: a plain tensor does not move with it."""
    tensor, holder = machine.peek(value), machine.get(owner)
    if isinstance(tensor, Sequence) and tensor.kind == "list":
        _belong(machine, owner, name, tensor, spot)
    if not isinstance(tensor, Tensor) or tensor.leaf:
        return value
    if edges.stored(tensor.edge) != tensor.edge and placing.is_building_module(machine):
        tensor = replace(tensor, edge=edges.stored(tensor.edge))
        value = machine.new(tensor)
    if not _is_built(tensor) or not isinstance(holder, Instance):
        return value
    if not isinstance(holder.cls, Definition):
        return value
    family = machine.index.family(holder.cls)
    begun = owner.address not in machine.live.raw
    machine.emit(StaysBehind, spot, family=family, name=name, begun=begun)
    return machine.new(replace(tensor, device=Device("kept", spot)))


def _is_built(tensor: Tensor) -> bool:
    return tensor.device is not None and tensor.device.kind == "built"


def _belong(machine: Machine, owner: Ref, name: str, list_: Sequence, spot: Spot) -> None:
    """A module under construction gets a list: of plain tensors none moves with it."""
    holder = machine.get(owner)
    items = [*list_.items, *([list_.rest] if list_.rest is not None else [])]
    held = [machine.peek(item) for item in items]
    if not isinstance(holder, Instance) or not isinstance(holder.cls, Definition) or not held:
        return
    for each in held:
        if not isinstance(each, Tensor) or each.leaf or not _is_built(each):
            return
    begun = owner.address not in machine.live.raw
    family = machine.index.family(holder.cls)
    machine.emit(StaysBehind, spot, family=family, name=name, begun=begun, several=True)
    for item, each in zip(items, held, strict=True):
        assert isinstance(each, Tensor)
        machine.set(item, replace(each, device=Device("kept", spot)))
