"""Numbers that float16 does not hold, where they meet tensors of that type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dtypes
from torchlint.interpreter.events.numerics import Fate, Unheld
from torchlint.interpreter.values import Opaque, Tensor
from torchlint.torch_api import edging
from torchlint.torch_api.registry import hear, watch

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.torch_api.registry import Applied, Call

_HALF = "float16"
_LEAST = 2.0**-25
"""What is smaller rounds to zero: the half of the smallest number."""

_MOST = 65504.0
_INFINITY = float("inf")
_HUGE = 1e8
"""A factor that leaves nothing finite but what is nearly zero."""


def _is_half(machine: Machine, value: Value) -> bool:
    record = machine.get(value)
    return isinstance(record, (Tensor, Opaque)) and record.dtype == _HALF


_PLACES = frozenset({"dim", "eps", "indices"})


def _meets(applied: Applied) -> list[float]:
    """The numbers that an operation is given together with a tensor of float16."""
    values = [value for name, value in applied.inputs.items() if name not in _PLACES]
    if not any(_is_half(applied.machine, value) for value in values):
        return []
    numbers = (edging.number(value) for value in values)
    return [number for number in numbers if number is not None]


def _note(machine: Machine, spot: Spot, number: float, fate: Fate) -> None:
    autocast = machine.live.autocast == _HALF
    machine.emit(Unheld, spot, number=number, fate=fate, autocast=autocast)


def _is_small(number: float) -> bool:
    return 0 < abs(number) < _LEAST


def _is_large(number: float) -> bool:
    return _MOST < abs(number) < _INFINITY


@watch("add", "iadd", "radd", "sub", "isub", "rsub", "subtract")
def _added(applied: Applied) -> None:
    if "alpha" in applied.inputs:
        return
    for number in _meets(applied):
        if _is_small(number):
            _note(applied.machine, applied.spot, number, Fate.ADDS_NOTHING)
        elif _is_large(number):
            _note(applied.machine, applied.spot, number, Fate.IS_INFINITE)


@watch("mul", "imul", "multiply")
def _multiplied(applied: Applied) -> None:
    for number in _meets(applied):
        if _HUGE <= abs(number) < _INFINITY:
            _note(applied.machine, applied.spot, number, Fate.IS_INFINITE)


@watch("where", "setitem")
def _chosen(applied: Applied) -> None:
    """Numbers that are written among others without being looked at."""
    for number in _meets(applied):
        if _is_large(number):
            _note(applied.machine, applied.spot, number, Fate.IS_INFINITE)


@watch("masked_fill", "index_fill", "fill", "full_like", "pad", "clamp", "clip")
@watch("clamp_min", "clamp_max")
def _filled(applied: Applied) -> None:
    """Numbers that are converted first, which is refused where they are too large."""
    bounds = "cl" in applied.op
    for number in _meets(applied):
        if _is_large(number):
            _note(applied.machine, applied.spot, number, Fate.IS_REFUSED)
        elif bounds and _is_small(number):
            _note(applied.machine, applied.spot, number, Fate.IS_ZERO)


@hear("tensor", "new_full")
@hear("function", "torch.full")
def _made(call: Call) -> None:
    """A tensor that is filled as it is made."""
    asked = call.arguments.keywords.get("dtype")
    number = edging.number(call.get("fill_value", 1))
    if asked is not None:
        half = dtypes.named(asked) == _HALF
    else:
        half = call.receiver is not None and _is_half(call.machine, call.receiver)
    if half and number is not None and _is_large(number):
        _note(call.machine, call.spot, number, Fate.IS_REFUSED)


@watch("normalize", "cosine_similarity", "CosineSimilarity")
def _guarded(applied: Applied) -> None:
    """An epsilon that is told; under autocast these compute in float32."""
    number = edging.number(applied.inputs.get("eps"))
    if number is None or not _is_small(number) or applied.machine.live.autocast is not None:
        return
    if any(_is_half(applied.machine, value) for value in applied.inputs.values()):
        _note(applied.machine, applied.spot, number, Fate.IS_ZERO)
