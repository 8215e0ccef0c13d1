"""Attention: products of matrices that may be those of one, and the function for all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import tensors
from torchlint.interpreter.events.speed import FusedAttention, Weighted
from torchlint.interpreter.values import TRUE, Tensor, Tuple
from torchlint.torch_api import operations
from torchlint.torch_api.registry import Call, function, watch

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Applied


@watch("matmul", "bmm")
def _multiplied(applied: Applied) -> None:
    weights = applied.machine.get(applied.first)
    if isinstance(weights, Tensor) and weights.node is not None:
        operation = weights.node.op.rpartition(".")[2].lower()
        if operation in {"softmax", "dropout"}:
            applied.machine.emit(Weighted, applied.spot, weights=weights.node)


@watch("scaled_dot_product_attention")
def _fused(applied: Applied) -> None:
    applied.machine.emit(FusedAttention, applied.spot)


_WHOLE = "nn.functional.multi_head_attention_forward"


@function(f"torch.{_WHOLE}")
def _attended(call: Call) -> Value:
    """All of an attention: where each projection has a weight of its own, no common one is used."""
    inputs = operations.bound(call, _WHOLE, None)
    if inputs.get("use_separate_proj_weight") == TRUE:
        inputs.pop("in_proj_weight", None)
    return Tuple((tensors.apply(call.machine, _WHOLE, inputs, call.spot), call.machine.opaque()))
