"""Pooling by hand: what is along a dimension is made one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import sequences
from torchlint.torch_api.registry import watch

if TYPE_CHECKING:
    from torchlint.torch_api.registry import Applied


@watch("mean", "sum", "max", "amax")
def _pooled(applied: Applied) -> None:
    name = applied.op.rpartition(".")[2]
    sequences.pooled(applied.machine, name, applied.inputs, applied.spot)
