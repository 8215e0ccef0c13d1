"""Claims about shapes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ..claims import MODEL, UNDER, Raises, Sees, Sighting

if TYPE_CHECKING:
    from ..tally import Answer


@dataclass(frozen=True)
class _FlatRaises(Raises):
    """A layer refuses one row with the features of several samples, or one without a batch."""

    def predicts(self, error: BaseException) -> bool:
        """Whether the row is so many times as long as the layer takes."""
        found = re.search(self.message, str(error))
        if not isinstance(error, self.kinds) or found is None:
            return False
        numbers = [int(number) for number in found.groups() if number]
        return not numbers or (numbers[0] > numbers[1] and numbers[0] % numbers[1] == 0)


flattened_batch = _FlatRaises(
    r"shapes cannot be multiplied \(1x(\d+) and (\d+)x|got 1D input",
    (RuntimeError, ValueError),
    UNDER,
)


def _one_for_all(call: Sighting) -> Answer:
    """Whether a batch of several samples comes down to one number."""
    given, result = call.given(0, "input"), call.result
    if not isinstance(given, Tensor) or not isinstance(result, Tensor):
        return None
    if result.dim():
        return False
    if given.dim() < 2 or len(given) < 2:
        return None
    sizes = list(given.shape)
    return f"of {sizes} one number is left, which has rank 0, for {len(given)} samples"


reduction_over_batch = Sees(
    " ".join(f"torch.{name} torch.Tensor.{name}" for name in "argmax argmin max min mean".split()),
    _one_for_all,
)

_KINDS = (RuntimeError, ValueError, AssertionError)

shape_mismatch = Raises(
    r"shapes cannot be multiplied|size of tensor a|[Ss]izes of tensors must match"
    r"|channels, but got|is invalid for input of size|should contain \d+ elements"
    r"|must be equal to input_size|[Gg]iven normalized_shape|must match the size of tensor"
    r"|size mismatch|same shape|equal size|expected (?:the |to have )?(?:last|\w+ in|size)"
    r"|divisible|embedding dimension|same size|[Ee]xpected (?:input|hidden|weight)|mat1|batch2"
    r"|inconsistent tensor size|must match except in dimension|broadcast|not match|sum exactly",
    _KINDS,
)
rank_mismatch = Raises(
    r"[Ee]xpected \d+D|[Ee]xpected.*\bdim|dimension|must be (?:a )?(?:\d-?D|matrix|a matrix)"
    r"|number of dims|each tensor to be equal size"
    r"|got \d+D|-D tensor|2D or 3D|3D or 4D|4D or 5D|at least \d|both arguments to",
    (RuntimeError, ValueError, AssertionError, IndexError),
)
channels_last_input = Raises(r"expected input\[.*\] to have \d+ channels, but got \d+")
view_of_non_contiguous = Raises(
    r"view size is not compatible with input tensor's size and stride", matters=MODEL
)


def _drops_batch(call: Sighting) -> Answer:
    """Whether one sample comes out with a dimension less than several do."""
    given, result = call.before[0] if call.before else None, call.result
    if not isinstance(given, Tensor) or not isinstance(result, Tensor) or given.dim() < 2:
        return None
    if len(call.args) > 1 or "dim" in call.kwargs:
        return False
    one, several = given[:1].squeeze(), torch.cat([given[:1], given[:1]]).squeeze()
    if one.dim() == several.dim():
        return False
    sizes = [1, *given.shape[1:]]
    return f"of {sizes} it makes rank {one.dim()}, and rank {several.dim()} of two such samples"


squeeze_drops_batch = Sees("torch.squeeze torch.Tensor.squeeze", _drops_batch, matters=MODEL)
