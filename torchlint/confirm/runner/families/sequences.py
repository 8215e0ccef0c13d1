"""A claim about layers that take time first, and mix the samples of a batch."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from ..claims import Sees

if TYPE_CHECKING:
    from types import FrameType

    from ..claims import Sighting
    from ..tally import Answer


def _judge(call: Sighting) -> Answer:
    """Whether the other rows of what a model gives change with its first sample."""
    layer = call.receiver
    inner = layer.layers[0] if hasattr(layer, "layers") and len(layer.layers) else layer
    attention = getattr(inner, "self_attn", inner)
    if getattr(attention, "batch_first", False):
        return False
    model, given = outermost(sys._getframe(1))
    if model is None or given is None:
        return None
    was = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        return _mixes(model, given)
    finally:
        for module, training in was:
            module.training = training


def _mixes(model: nn.Module, given: Tensor) -> Answer:
    """The first sample is replaced by another; a row for each is what a model has to give."""
    others = [at for at in range(1, len(given)) if not torch.equal(given[at], given[0])]
    if not others:
        return None
    changed = given.clone()
    changed[0] = given[others[0]]
    one, other = _output(model(given)), _output(model(changed))
    if one is None or other is None or len(one) != len(given):
        return None
    if one.dim() > 1 and given.dim() > 1 and one.shape[:2] == given.shape[:2]:
        # It gives something for each step: which dimension is time, there is no telling.
        return None
    if given.dim() > 1 and given.shape[0] == given.shape[1]:
        return None
    if torch.allclose(one[1:], other[1:], atol=1e-6):
        return False
    rows = int((one[1:] - other[1:]).flatten(1).abs().amax(1).gt(1e-6).sum())
    return f"with another first sample, {rows} of the other {len(one) - 1} rows change"


def _output(made: Any) -> Tensor | None:
    made = made[0] if isinstance(made, tuple) and made else made
    return made if isinstance(made, Tensor) and made.dim() and made.is_floating_point() else None


def outermost(frame: FrameType | None) -> tuple[nn.Module | None, Tensor | None]:
    """The outermost model of the user's that is being applied, and what it was given."""
    found: tuple[nn.Module | None, Tensor | None] = (None, None)
    while frame is not None:
        owner, given = frame.f_locals.get("self"), frame.f_locals.get("args")
        is_call = frame.f_code.co_name == "_call_impl" and isinstance(owner, nn.Module)
        if is_call and not type(owner).__module__.startswith("torch."):
            sole = isinstance(given, tuple) and len(given) == 1 and not frame.f_locals["kwargs"]
            first = given[0] if sole and given is not None else None
            found = (owner, first if isinstance(first, Tensor) and first.dim() > 1 else None)
        frame = frame.f_back
    return found


rnn_batch_first = Sees(
    "torch.nn.RNN torch.nn.GRU torch.nn.LSTM torch.nn.MultiheadAttention torch.nn.Transformer "
    "torch.nn.TransformerEncoder torch.nn.TransformerDecoder torch.nn.TransformerEncoderLayer "
    "torch.nn.TransformerDecoderLayer",
    _judge,
)
