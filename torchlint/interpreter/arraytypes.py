"""Types of arrays: of what type NumPy has what it makes and computes, as far as that is sure.

NumPy takes Python's floats for float64 where torch takes them for float32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import contents, dtypes
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.values import Const, Sequence, Tensor, Tuple
from torchlint.project.index import External

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

DOUBLE = "float64"

OF_ARRAYS = frozenset(
    "all any argmax argmin argsort clip conj cumprod cumsum diagonal dot flatten max mean min "
    "nonzero prod ravel repeat reshape round sort squeeze std sum swapaxes take trace transpose "
    "var view".split()
)
"""Methods that arrays have as tensors have them."""

_SYNONYMS = {
    "float": DOUBLE,
    "double": DOUBLE,
    "float_": DOUBLE,
    "f8": DOUBLE,
    "d": DOUBLE,
    "single": "float32",
    "f4": "float32",
    "f": "float32",
    "half": "float16",
    "int": "int64",
    "int_": "int64",
    "i8": "int64",
    "bool_": "bool",
}
_OF_NUMBERS: dict[type, str] = {bool: "bool", int: "int64", float: DOUBLE}


def named(value: Value | None) -> str | None:
    """The type that a value means to NumPy: ``np.float32``, ``"f4"``, ``float``."""
    match value:
        case External(name=name):
            short = name.rpartition(".")[2]
        case Const(value=str() as name):
            short = name.lstrip("<>=")
        case _:
            return None
    short = _SYNONYMS.get(short, short)
    known = dtypes.is_float(short) or dtypes.is_integer(short)
    return short if known and short != dtypes.FLOATING else None


def of_data(machine: Machine, value: Value) -> str | None:
    """The type of ``np.array(value)``."""
    match value:
        case Number(dtype=dtype):
            return dtype
        case Const(value=bool() | int() | float() as number):
            return _OF_NUMBERS[type(number)]
        case Tuple(items=items):
            return _widest({of_data(machine, item) for item in items})
    match machine.get(value):
        case Tensor(dtype=dtype) if dtype != dtypes.FLOATING:
            return dtype
        case Sequence(escaped=False) as listed:
            return _widest({of_data(machine, item) for item in contents.held(listed)})
    return None


def _widest(kinds: set[str | None]) -> str | None:
    """The type that holds all of them."""
    if len(kinds) == 1:
        return next(iter(kinds))
    return DOUBLE if DOUBLE in kinds and None not in kinds else None


def computed(operator: str, left: Value, right: Value) -> str | None:
    """The type of ``left operator right``; None where none of them is NumPy's, or it is not sure.

    Whether a single number of another type decides differs from one NumPy to the next. Shares of
    whole numbers of 64 bits are float64 whatever they are shares of.
    """
    shared = [value for value in (left, right) if isinstance(value, Number) and value.array]
    if operator == "Div" and any(value.dtype == "int64" for value in shared):
        return DOUBLE
    kinds = [value.dtype for value in (left, right) if isinstance(value, Number)]
    number = next((value.value for value in (left, right) if isinstance(value, Const)), None)
    if None in kinds or not kinds:
        return None
    if DOUBLE in kinds:
        arrays = [value for value in (left, right) if isinstance(value, Number)]
        sure = all(one.array or one.dtype == DOUBLE for one in arrays)
        return DOUBLE if sure and any(one.dtype == DOUBLE and one.array for one in arrays) else None
    if len(set(kinds)) > 1:
        return None
    if dtypes.is_integer(kinds[0]) and (operator == "Div" or type(number) is float):
        return DOUBLE
    return kinds[0]
