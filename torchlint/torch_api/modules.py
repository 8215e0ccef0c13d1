"""Layers as objects: what they hold, and which have parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from torchlint.interpreter.values import Const, Either, Instance, Ref, Tensor
from torchlint.torch_api import generated, kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"})

PRETRAINED = ("torchvision.models.", "timm.create_model", "transformers.Auto", "torch.hub.load")
"""What gives a whole model, by the beginning of its name."""

OPEN = "*"
"""The attribute of a container that stands for items which are not known one by one."""


def children(machine: Machine, instance: Instance) -> list[Value] | None:
    """The layers of a container, in order; None for other modules, or where they are not known."""
    bases = kinds.bases(machine.index, instance.cls)
    if not bases & _CONTAINERS or OPEN in instance.attributes:
        return None
    if "torch.nn.Sequential" not in bases and instance.escaped:
        return None
    return [value for name, value in instance.attributes.items() if name.isdigit() or name[:1] == "@"]


def add_child(machine: Machine, owner: Value, name: Value | None, child: Value) -> None:
    """Add a layer to a container, at its end or under a name."""
    instance = machine.get(owner)
    assert isinstance(instance, Instance)
    key = str(sum(1 for known in instance.attributes if known.isdigit()))
    if isinstance(name, Const) and isinstance(name.value, str):
        key = f"@{name.value}"
    machine.set(owner, replace(instance, attributes={**instance.attributes, key: child}))


def has_parameter(instance: Instance, name: str) -> bool:
    """Whether ``name`` is a parameter of a layer of torch."""
    if name not in {"weight", "bias"} or not isinstance(instance.cls, str):
        return False
    return generated.is_module(instance.cls) and generated.has_parameters(instance.cls)


def parametrised(machine: Machine, value: Value) -> str:
    """The name of the class of a module with parameters; empty for anything else."""
    seen: set[int] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, Either):
            pending.extend(current.options)
            continue
        record = machine.get(current)
        if not isinstance(current, Ref) or current.address in seen:
            continue
        seen.add(current.address)
        if isinstance(record, Tensor) and record.leaf and record.node is not None:
            return _name(machine, value)
        if not isinstance(record, Instance):
            continue
        if isinstance(record.cls, str) and _has_parameters(record.cls):
            return _name(machine, value)
        if kinds.is_module(machine.index, record.cls):
            pending.extend(record.attributes.values())
    return ""


def _name(machine: Machine, value: Value) -> str:
    record = machine.get(value)
    if isinstance(record, Instance) and kinds.is_module(machine.index, record.cls):
        return kinds.name_of(record.cls)
    return ""


def _has_parameters(name: str) -> bool:
    if name.startswith(PRETRAINED):
        return True
    return generated.is_module(name) and generated.has_parameters(name)


def is_pretrained(name: str) -> bool:
    """Whether calling this external name gives a whole model."""
    return name.startswith(PRETRAINED)


