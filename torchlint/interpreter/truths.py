"""Truths: tensors with several elements that are asked for a single one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import tensors
from torchlint.interpreter.events.devices import Asked
from torchlint.interpreter.values import Tensor

if TYPE_CHECKING:
    import ast

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value


def asked(machine: Machine, value: Value, node: ast.expr) -> None:
    """A value decides on what happens: of a tensor with several elements, that is an event."""
    tensor = machine.get(value)
    if not isinstance(tensor, Tensor) or not tensor.shape or machine.tries:
        return
    if tensors.is_opaque(tensor):
        return
    # Where there are none at all torch raises as well.
    if any(isinstance(size, int) and size != 1 for size in tensor.shape):
        machine.emit(Asked, node, shape=tensor.shape)
