"""Claims about arithmetic on bytes (TL512)."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from ..claims import Sees

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..claims import Sighting
    from ..tally import Answer

_EXACT: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "radd": operator.add,
    "iadd": operator.add,
    "sub": operator.sub,
    "subtract": operator.sub,
    "isub": operator.sub,
    "rsub": lambda one, other: other - one,
    "mul": operator.mul,
    "multiply": operator.mul,
    "rmul": operator.mul,
    "imul": operator.mul,
    "neg": operator.neg,
    "negative": operator.neg,
    "square": lambda one: one * one,
    "pow": operator.pow,
    "ipow": operator.pow,
}
_OPERATORS = "add radd iadd sub rsub isub mul rmul imul neg pow ipow".split()
_FUNCTIONS = "add sub subtract mul multiply neg negative square pow".split()
_NAMES = (
    *(f"torch.Tensor.__{name}__" for name in _OPERATORS),
    *(f"torch.{name}" for name in _FUNCTIONS),
    *(f"torch.Tensor.{name}" for name in _FUNCTIONS),
    *(f"torch.Tensor.{name}_" for name in _FUNCTIONS),
)


def _wide(value: Any) -> Any:
    return value.to(torch.int64) if isinstance(value, Tensor) else value


def _wrapped(call: Sighting) -> Answer:
    """What comes out of bytes is another number than it would be among larger ones."""
    given, result = call.before, call.result
    is_of_bytes = isinstance(result, Tensor) and result.dtype is torch.uint8
    if not is_of_bytes or call.kwargs.get("alpha", 1) != 1 or len(given) > 2:
        return None
    others = [call.kwargs["other"]] if "other" in call.kwargs else []
    exact = _EXACT[call.name.rpartition(".")[2].strip("_")](*map(_wide, (*given, *others)))
    beyond = (exact < 0) | (exact > torch.iinfo(torch.uint8).max)
    count = int(beyond.sum())
    if not count or not bool((exact != result)[beyond].all()):
        return None
    first = int(beyond.flatten().nonzero()[0])
    right, got = int(exact.flatten()[first]), int(result.flatten()[first])
    return f"{count} of {exact.numel()} values wrap around: {right} comes out as {got}"


integer_overflow = Sees(" ".join(_NAMES), _wrapped)
