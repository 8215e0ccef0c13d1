"""Numbers: those that modules have names for, and NaN, which is one value wherever it stands."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torchlint.interpreter.events.numerics import ComparedWithNan
from torchlint.interpreter.values import NONE, UNKNOWN, Const, Opaque, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

NAN = Const(math.nan)

_MODULES = frozenset({"torch", "math", "numpy"})
_NAMES = {
    **dict.fromkeys(("nan", "NaN", "NAN"), NAN),
    **dict.fromkeys(("inf", "Inf", "infty"), Const(math.inf)),
    "newaxis": NONE,
    "pi": Const(math.pi),
    "e": Const(math.e),
}


def named(name: str) -> Const | None:
    """What a dotted name such as ``math.inf`` stands for; None for names of other things."""
    module, _, last = name.rpartition(".")
    return _NAMES.get(last) if module in _MODULES else None


def parsed(written: object) -> Value:
    """What ``float`` makes of a constant; ``float("nan")`` is how most programs spell NaN."""
    if not isinstance(written, (str, int, float)):
        return UNKNOWN
    try:
        number = float(written)
    except ValueError:
        return UNKNOWN
    return NAN if math.isnan(number) else Const(number)


def is_nan(value: Value) -> bool:
    """Whether a value is NaN."""
    return isinstance(value, Const) and isinstance(value.value, float) and math.isnan(value.value)


def compared(machine: Machine, left: Value, right: Value, spot: Spot, equal: bool) -> None:
    """Something is compared for equality, or for the lack of it."""
    if is_nan(left) == is_nan(right):
        return
    other = machine.get(right if is_nan(left) else left)
    if isinstance(other, (Tensor, Opaque)):
        tensor = isinstance(other, Tensor)
        machine.emit(ComparedWithNan, spot, equal=equal, tensor=tensor)
