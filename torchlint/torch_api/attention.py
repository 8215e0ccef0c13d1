"""Matrix products that may be those of an attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.speed import FusedAttention, Weighted
from torchlint.interpreter.values import Tensor
from torchlint.torch_api.registry import watch

if TYPE_CHECKING:
    from torchlint.torch_api.registry import Applied


@watch("matmul", "bmm")
def _multiplied(applied: Applied) -> None:
    weights = applied.machine.get(next(iter(applied.inputs.values())))
    if isinstance(weights, Tensor) and weights.node is not None:
        operation = weights.node.op.rpartition(".")[2].lower()
        if operation in {"softmax", "dropout"}:
            applied.machine.emit(Weighted, applied.spot, weights=weights.node)


@watch("scaled_dot_product_attention")
def _fused(applied: Applied) -> None:
    applied.machine.emit(FusedAttention, applied.spot)
