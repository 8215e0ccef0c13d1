"""Normalising: what goes into a softmax, a sigmoid, a logarithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import facts, tensors
from torchlint.interpreter.events.losses import Normalisation
from torchlint.interpreter.values import NONE
from torchlint.torch_api.registry import watch

if TYPE_CHECKING:
    from torchlint.torch_api.registry import Applied


@watch("softmax", "log_softmax", "softmin", "Softmax", "LogSoftmax", "Softmin")
@watch("sigmoid", "Sigmoid", "log")
def _normalise(applied: Applied) -> None:
    machine = applied.machine
    given = tensors.as_tensor(machine, applied.inputs.get("input", NONE))
    if given is None:
        return
    name, label = facts.plain(applied.op)
    dim = applied.inputs.get("dim")
    machine.emit(
        Normalisation,
        applied.spot,
        name=name,
        label=label,
        input=given,
        dim=None if dim == NONE else dim,
        # Layers and functions of ``nn`` choose a dimension; those of torch and of tensors do not.
        demands=not applied.op.startswith("nn."),
    )
