"""Claims about models that take batches of one size only."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from ..claims import MODEL, Sees
from .sequences import outermost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..claims import Sighting
    from ..tally import Answer

_OF_SIZES = re.compile(
    r"invalid for input of size|shapes cannot be multiplied|[Ee]xpected hidden|size of tensor"
    r"|[Ss]izes of tensors|must match|batch size"
)
_LARGEST = 512
_FACTORIES = "torch.zeros torch.ones torch.randn torch.rand torch.full torch.empty"


def _takes_one_size(call: Sighting) -> Answer:
    """Whether the model that is being applied takes as many samples as are written, and no more."""
    model, given = outermost(sys._getframe(1))
    if model is None or given is None or not len(given):
        return None
    was = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        # A recurrent layer may have the batch second.
        dims = (0, 1) if call.name in _FACTORIES.split() else (0,)
        answers = [_tried(model, given, dim, size) for dim in dims for size in _sizes(call)]
    finally:
        for module, training in was:
            module.training = training
    return next((answer for answer in answers if answer), False if False in answers else None)


def _sizes(call: Sighting) -> Iterator[int]:
    """The sizes that the call names, and could be those of a batch."""
    for value in (*call.args, *call.kwargs.values()):
        for size in value if isinstance(value, (tuple, list)) else (value,):
            if type(size) is int and 1 < size <= _LARGEST:
                yield size


def _tried(model: nn.Module, given: Tensor, dim: int, size: int) -> Answer:
    """What becomes of a batch of a size, and of one with a sample more."""
    if given.dim() <= dim or not given.shape[dim]:
        return None
    try:
        before = _rows(model(_batch(given, dim, size)), dim)
    except (RuntimeError, ValueError, IndexError):
        return None
    try:
        after = _rows(model(_batch(given, dim, size + 1)), dim)
    except (RuntimeError, ValueError) as error:
        text = str(error).strip().split("\n")[0]
        if not _OF_SIZES.search(text):
            return None
        return f"{size} samples pass, and {size + 1} raise {type(error).__name__}: {text}"
    if before != size or after is None:
        return None
    return False if after == size + 1 else f"for {size + 1} samples it gives {after} rows"


def _batch(given: Tensor, dim: int, size: int) -> Tensor:
    """So many samples of those that there are."""
    chosen = torch.arange(size, device=given.device) % given.shape[dim]
    return given.index_select(dim, chosen)


def _rows(made: Any, dim: int) -> int | None:
    made = made[0] if isinstance(made, tuple) and made else made
    return made.shape[dim] if isinstance(made, Tensor) and made.dim() > dim else None


batch_size_hard_coded = Sees(
    f"torch.Tensor.view torch.Tensor.reshape {_FACTORIES}", _takes_one_size, matters=MODEL
)
