"""Heads: the layers that a program puts at the end of a model of torchvision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import calls, cutting, shapes, tensors
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.roles import Role
from torchlint.interpreter.values import NONE, UNKNOWN, Instance, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Device, Node, Spot, Value

_MODELS = "torchvision.models."
_HEADS = {
    "fc": ("resnet", "resnext", "wide_resnet", "regnet", "shufflenet"),
    "classifier": ("alexnet", "densenet", "efficientnet", "mnasnet", "mobilenet", "vgg"),
    "head": ("swin",),
    "heads": ("vit_",),
}
"""What is called last, by the families of models in which it is given a row for each image."""


def answer(
    machine: Machine,
    model: Instance,
    arguments: Arguments,
    node: Node | None,
    device: Device | None,
    spot: Spot,
) -> Value:
    """What a model gives: what its head makes of its features, if that was put there in sight."""
    if node is None and machine.live.grad is not False:
        node = cutting.UNCLEAR
    head = None if model.escaped else _head(machine, model)
    if head is None:
        return tensors.new_tensor(machine, node, device=device)
    given = machine.get(next(iter(arguments.values()), NONE))
    images = shapes.size(given.shape, 0) if isinstance(given, Tensor) else None
    features = tensors.new_tensor(machine, node, device=device, shape=(images, None))
    machine.trace.roles[features.address] = (Role.SAMPLES, Role.FEATURES)
    return calls.call(machine, head, Arguments((features,)), spot)


def _head(machine: Machine, model: Instance) -> Value | None:
    """The layer that was put in the place of a model's head."""
    name = str(model.cls).removeprefix(_MODELS)
    for attribute, families in _HEADS.items():
        if name.startswith(families) and "." not in name and "forward" not in model.attributes:
            head = model.attributes.get(attribute, UNKNOWN)
            return head if isinstance(machine.get(head), Instance) else None
    return None
