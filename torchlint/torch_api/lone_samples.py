"""Batch norm of one value for each sample and channel: of a single sample it has no variance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import shapes
from torchlint.interpreter.events.loading import LoneNorm
from torchlint.interpreter.values import Tensor
from torchlint.torch_api.registry import watch

if TYPE_CHECKING:
    from torchlint.torch_api.registry import Applied

_PLAIN = 2


@watch("BatchNorm1d")
def _normalised(applied: Applied) -> None:
    """What comes in has samples and channels for dimensions, unless more is known of it."""
    tensor = _given(applied)
    rank = shapes.rank(tensor.shape) if tensor is not None else _PLAIN + 1
    if rank in {_PLAIN, None}:
        applied.machine.emit(LoneNorm, applied.spot, sure=rank == _PLAIN)
    else:
        _pooled(applied)


@watch("BatchNorm2d", "BatchNorm3d")
def _pooled(applied: Applied) -> None:
    """A map of one place for each channel, as pooling to one place makes it."""
    tensor = _given(applied)
    shape = tensor.shape if tensor is not None else None
    if shape is not None and shapes.is_whole(shape) and {*shape[_PLAIN:]} == {1}:
        applied.machine.emit(LoneNorm, applied.spot, sure=True)


def _given(applied: Applied) -> Tensor | None:
    """What is normalised, on no way that may not be gone."""
    given = applied.inputs.get("input")
    tensor = applied.machine.get(given) if given is not None else None
    return tensor if isinstance(tensor, Tensor) and not applied.machine.choices else None
