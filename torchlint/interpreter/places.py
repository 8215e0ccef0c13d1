"""Places: which tensors of a module stay behind when it moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import edges
from torchlint.interpreter.events.devices import StaysBehind
from torchlint.interpreter.values import Device, Instance, Ref, Tensor
from torchlint.project.outline import Definition
from torchlint.torch_api import placing

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def belongs(machine: Machine, owner: Ref, name: str, value: Value, spot: Spot) -> Value:
    """A module under construction gets an attribute: a plain tensor does not move with it."""
    tensor, holder = machine.peek(value), machine.get(owner)
    if not isinstance(tensor, Tensor) or tensor.leaf:
        return value
    if edges.stored(tensor.edge) != tensor.edge and placing.is_building_module(machine):
        tensor = replace(tensor, edge=edges.stored(tensor.edge))
        value = machine.new(tensor)
    if tensor.device is None:
        return value
    if tensor.device.kind != "built" or not isinstance(holder, Instance):
        return value
    if not isinstance(holder.cls, Definition):
        return value
    family = machine.index.family(holder.cls)
    begun = owner.address not in machine.live.raw
    machine.emit(StaysBehind, spot, family=family, name=name, begun=begun)
    return machine.new(replace(tensor, device=Device("kept", spot)))
