"""Normalising: what goes into a softmax, a sigmoid, a logarithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import facts, roles, tensors
from torchlint.interpreter.events.losses import Chosen, Normalisation
from torchlint.interpreter.values import NONE, Const, Tensor
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
        role=next(iter(roles.of(machine, applied.inputs["input"]) or ()), None),
        # Layers and functions of ``nn`` choose a dimension; those of torch and of tensors do not.
        demands=not applied.op.startswith("nn."),
    )


@watch("argmax", "max", "topk")
def _choose(applied: Applied) -> None:
    """The largest is looked for; ``max`` takes the dimension for another tensor."""
    given = applied.machine.get(applied.inputs.get("input", NONE))
    dim = applied.inputs.get("dim", applied.inputs.get("other"))
    if isinstance(given, Tensor) and given.range is not None and isinstance(dim, Const):
        applied.machine.emit(Chosen, applied.spot, among=given.range, dim=dim.value)
