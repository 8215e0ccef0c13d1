"""Numbers and arrays: what Python's arithmetic and NumPy read out of tensors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torchlint.interpreter import (
    arraytypes,
    cutting,
    dtypes,
    edges,
    formulas,
    numbers,
    ranks,
    sizing,
    trips,
)
from torchlint.interpreter.cuts import By, Number
from torchlint.interpreter.events.graph import ArrayMade
from torchlint.interpreter.values import (
    FALSE,
    TRUE,
    UNKNOWN,
    Const,
    Opaque,
    Sequence,
    Tensor,
    Tuple,
)
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.formulas import Formula
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_COMPUTES = frozenset(
    "array asarray stack concatenate vstack hstack log log2 log10 log1p exp expm1 sqrt abs square "
    "power tanh sin cos maximum minimum clip dot matmul mean median std var sum prod max min "
    "argmax argmin round absolute linalg.norm where argsort sort cumsum cumprod flip transpose "
    "expand_dims squeeze reshape ravel swapaxes tile repeat roll zeros_like ones_like full_like "
    "sign floor ceil logical_and logical_or logical_not greater less equal isnan nan_to_num any "
    "all outer einsum percentile quantile amax amin diff".split()
)
"""Functions of NumPy that make arrays of what they are given, and of which torch has its own."""

_MAKES_ARRAYS = frozenset("array asarray stack concatenate vstack hstack".split())
"""Those that give no number, whatever they are given."""

_OTHER_TYPES = frozenset(
    "argmax argmin argsort where logical_and logical_or logical_not greater less equal isnan any "
    "all einsum dot matmul outer zeros_like ones_like full_like percentile quantile".split()
)
"""Those that do not give floats of the type that they are given, or not surely."""

_ASKING = {f"math.{asks.__name__}": asks for asks in (math.isnan, math.isinf, math.isfinite)}
_ROUNDING = {
    "builtins.int": int,
    "builtins.round": round,
    **{f"math.{rounds.__name__}": rounds for rounds in (math.floor, math.ceil, math.trunc)},
}


@function("builtins.float", "builtins.int", "builtins.round", "builtins.complex")
@function(*(f"math.{name}" for name in dir(math) if name[0] != "_" and name != "fsum"))
def _number(call: Call) -> Value:
    """A number of what is given, which will be looked at if it comes from a tensor."""
    given = call.get("x", 0)
    if call.name == "builtins.float" and isinstance(given, Const):
        return numbers.parsed(given.value)
    match list(call.arguments.values()):
        case [Const(value=int() | float() as number)] if call.name in _ASKING:
            return Const(_ASKING[call.name](number))
        case [Const(value=int() | float() as number)] if call.name in _ROUNDING:
            if math.isfinite(number) and not call.arguments.open:
                return Const(_ROUNDING[call.name](number))
    for value in call.arguments.values():
        record = call.machine.get(value)
        edges.tested(call.machine, record if isinstance(record, Tensor) else None)
        if call.name == "builtins.int" and ranks.number_of(call.machine, value) is not None:
            return value
    cuts = cutting.read_out(call.machine, call.arguments.values(), By.PYTHON, call.spot)
    read = _read(call, given) if call.name == "builtins.int" else None
    # An array is rounded item by item.
    return Number(cuts, read=read, shape=() if call.name != "builtins.round" else None)


def _read(call: Call, value: Value | None) -> Formula | None:
    """The formula of the tensor that a value was read out of, or is."""
    return value.read if isinstance(value, Number) else formulas.of(call.machine, value)


@function("numpy.unique")
def _unique(call: Call) -> Value:
    """The values of an array, each once; where they are and how often are whole numbers."""
    given = call.get("ar", 0)
    cuts = cutting.read_out(call.machine, call.arguments.values(), By.NUMPY, call.spot)
    values = Number(cuts, array=True, read=_read(call, given))
    told = [call.arguments.keywords.get(name, FALSE) for name in _TOLD_OF_EACH]
    unsure = call.arguments.open or call.arguments.positional[1:]
    if unsure or any(asked not in (TRUE, FALSE) for asked in told):
        return UNKNOWN
    counted = tuple(Number(cuts, array=True, dtype="int64") for asked in told if asked == TRUE)
    return Tuple((values, *counted)) if counted else values


_TOLD_OF_EACH = ("return_index", "return_inverse", "return_counts")


@function(*(f"numpy.{name}" for name in _COMPUTES))
def _array(call: Call) -> Value:
    machine = call.machine
    for value in call.arguments.values():
        for part in cutting.parts(machine, value):
            tensor = machine.get(part)
            if isinstance(tensor, Tensor):
                how = call.name.replace("numpy.", "np.")
                machine.emit(
                    ArrayMade,
                    call.spot,
                    tensor=tensor,
                    how=f"{how}()",
                    walked=machine.live.walked,
                )
    cuts = cutting.read_out(machine, call.arguments.values(), By.NUMPY, call.spot)
    left = trips.carried(machine, call.arguments.values())
    if call.name == "numpy.where" and len(list(call.arguments.values())) == 1:
        # Of a condition alone it gives an array for each dimension: where it is true.
        places = Number(cuts, array=True, left=left, dtype="int64")
        return machine.new(Sequence("tuple", rest=places))
    makes = call.name.rpartition(".")[2] in _MAKES_ARRAYS
    if makes and any(_may_hold_tensors(machine, each) for each in call.arguments.values()):
        return UNKNOWN
    if not makes and sizing.are_numbers(machine, call.arguments.values()):
        return Number(cuts, left=left, made=True)
    return Number(cuts, array=makes, left=left, dtype=_dtype(call), made=True)


def _may_hold_tensors(machine: Machine, value: Value) -> bool:
    """Whether a list has something that was computed in a graph, of which no more is known.

    NumPy refuses it if it is a tensor, or makes an array of objects, which keep their graphs.
    """
    if not isinstance(machine.peek(value), Sequence):
        return False
    held = map(machine.peek, cutting.parts(machine, value))
    return any(isinstance(each, Opaque) and each.node is not None for each in held)


def _dtype(call: Call) -> str | None:
    """The type of what is computed, for the functions of which it is simple to tell."""
    short, first = call.name.rpartition(".")[2], call.arguments.positional[:1]
    asked = call.get("dtype", 1 if short in {"array", "asarray"} else None)
    if asked is not None:
        return arraytypes.named(asked)
    dtype = arraytypes.of_data(call.machine, first[0]) if first else None
    if short in _MAKES_ARRAYS:
        return dtype
    alone = len(call.arguments.positional) == 1 or dtype == arraytypes.DOUBLE
    return dtype if short not in _OTHER_TYPES and dtypes.is_float(dtype) and alone else None
