"""Claims about shapes."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ..claims import MODEL, UNDER, Raises, Sees, Sighting

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    r"|inconsistent tensor size|must match except in dimension|broadcast|not match|sum exactly"
    r"|must match the existing size|values to unpack|mask.*should be|key_padded_mask"
    r"|(?:shape|size) of the mask|hidden_size|no larger than|bias to be|square matrices"
    r"|batch_size \(|target size|Using a target|multi-target|length 3|indices of the same"
    r"|weights shape of|number of columns|batch size|inconsistent input_size|cannot be multiplied"
    r"|should be 1-D with size|equal to d_model|parameter numbers and input|multiply up to"
    r"|[Tt]arget size|must match self tensor shape"
    r"|[Ss]hape of indices|Incompatible|size \(batch size\)|contracted dimensions|last dimension",
    (*_KINDS, IndexError),
    varied=True,
)
rank_mismatch = Raises(
    r"[Ee]xpected \d+D|[Ee]xpected.*\bdim|dimension|must be (?:a )?(?:\d-?D|matrix|a matrix)"
    r"|number of dims|each tensor to be equal size"
    r"|got \d+D|-D tensor|2D or 3D|3D or 4D|4D or 5D|at least \d|both arguments to"
    r"|vector \+ matrix @ vector expected"
    r"|a target size \(torch.Size\(\[\d+\]\)\) that is different to .*\(torch.Size\(\[\d+, "
    r"|a target size \(torch.Size\(\[\d+, .*\) that is different to .*\(torch.Size\(\[\d+\]\)\)",
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


def _is_another_order(call: Sighting) -> Answer:
    """Whether a view differs from all orders of the dimensions that give its sizes."""
    given, result = call.before[0] if call.before else None, call.result
    if not isinstance(given, Tensor) or not isinstance(result, Tensor) or given.numel() < 2:
        return None
    before, after = list(given.shape), list(result.shape)
    if len(before) > _MOST_DIMENSIONS or len(after) > _MOST_DIMENSIONS:
        return None
    if not torch.equal(given, given) or bool((given == given.flatten()[0]).all()):
        # Of what is not a number, or everywhere the same, all orders look alike.
        return None
    merged, split = list(_turned(given, after)), list(_turned(result, before))
    if not merged and not split:
        return None
    if any(torch.equal(one, result) for one in merged):
        return False
    if any(torch.equal(one, given) for one in split):
        return False
    return f"of {before} it makes {after}, and none of the orders of the dimensions gives the same"


def _turned(given: Tensor, wanted: list[int]) -> Iterator[Tensor]:
    """A tensor with its dimensions put in any order that becomes the wanted sizes."""
    for order in itertools.permutations(range(given.dim())):
        sizes = [given.shape[at] for at in order]
        if _is_merged(sizes, wanted):
            yield given.permute(order).reshape(wanted)


def _is_merged(sizes: list[int], wanted: list[int]) -> bool:
    """Whether sizes become others by nothing but putting neighbours together."""
    left = [size for size in sizes if size != 1]
    for size in wanted:
        whole = 1
        while whole < size and left:
            whole *= left.pop(0)
        if whole != size:
            return False
    return not left


_MOST_DIMENSIONS = 6
view_as_transpose = Sees(
    " ".join(f"torch.Tensor.{name}" for name in "view reshape view_as reshape_as".split())
    + " torch.reshape",
    _is_another_order,
    matters=MODEL,
)


def _takes_any_length(call: Sighting) -> Answer:
    """Whether samples twice as long give twice as many rows, and no error."""
    given, result = call.before[0] if call.before else None, call.result
    if not isinstance(given, Tensor) or not isinstance(result, Tensor):
        return None
    if given.dim() < 2 or result.dim() != 2 or not given.numel():
        return None
    if len(call.args) + len(call.kwargs) < 2 or not _is_left_open(call.args[1:]):
        return False
    longer = torch.cat([given, given], dim=-1)
    again = longer.reshape(*call.args[1:])
    if len(again) == len(longer):
        return False
    sizes = list(longer.shape)
    return f"of {sizes} it makes {len(again)} rows, for {len(longer)} samples, and raises nothing"


def _is_left_open(sizes: tuple[object, ...]) -> bool:
    """Whether the first of two sizes is left to torch."""
    first = sizes[0]
    given = first if isinstance(first, (tuple, list)) and len(sizes) == 1 else sizes
    return len(given) == len(("rows", "length")) and given[0] == -1


batch_folded = Sees("torch.Tensor.view torch.Tensor.reshape", _takes_any_length, matters=MODEL)
