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
    given = applied.inputs.get("input")
    tensor = applied.machine.get(given) if given is not None else None
    if isinstance(tensor, Tensor) and not applied.machine.choices:
        rank = shapes.rank(tensor.shape)
        if rank in {_PLAIN, None}:
            applied.machine.emit(LoneNorm, applied.spot, sure=rank == _PLAIN)
