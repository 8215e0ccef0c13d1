"""Losses as they are built: what their constructors cannot do anything with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.numerics import LossBuilt
from torchlint.interpreter.values import NONE, Instance, Opaque, Tensor
from torchlint.torch_api import generated, kinds
from torchlint.torch_api.registry import attribute

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Attribute, Call

_WEIGHTS = frozenset({"weight", "pos_weight"})
"""Settings that are tensors; such ones are in no graph of a model's output."""


def built(call: Call, short: str) -> None:
    """A loss is built of these arguments; of tensors among them only weights are settings.

    What is given by the name of one is meant as such.
    """
    names = generated.constructor_names(short)
    named = {name: value for name, value in call.arguments.keywords.items() if name not in _WEIGHTS}
    given = dict(zip(names, call.arguments.positional, strict=False)) | named
    beyond = call.arguments.positional[len(names) :]
    records = [(name, call.machine.get(value)) for name, value in given.items()]
    records += [("", call.machine.get(value)) for value in beyond]
    computed = [
        isinstance(record, Tensor) and (name not in _WEIGHTS or _is_output(record))
        for name, record in records
    ]
    data = sum(isinstance(record, (Tensor, Opaque)) for _, record in records)
    if any(computed) and data > 1:
        call.machine.emit(LossBuilt, call.spot, kind=short)


def _is_output(tensor: Tensor) -> bool:
    """Whether a tensor was computed by layers, as no setting is."""
    return tensor.node is not None and not tensor.leaf and bool(tensor.node.parents)


def _walked_back(read: Attribute) -> Value | None:
    """The object that a loss class builds is asked for what only a computed loss has.

    What stands for a flag there, and is none, was meant for the loss.
    """
    loss = read.machine.get(read.owner)
    if not isinstance(loss, Instance) or loss.spot is None:
        return None
    given = read.machine.get(loss.attributes.get("size_average", NONE))
    known = {event.spot for event in read.machine.trace.of(LossBuilt)}
    if isinstance(given, (Tensor, Opaque)) and loss.spot not in known:
        read.machine.emit(LossBuilt, loss.spot, kind=kinds.name_of(loss.cls))
    return None


for _loss in generated.loss_classes():
    attribute(_loss, "backward")(_walked_back)
