"""Losses as they are built: what their constructors cannot do anything with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.numerics import LossBuilt
from torchlint.interpreter.values import Opaque, Tensor
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from torchlint.torch_api.registry import Call

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
