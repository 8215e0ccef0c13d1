"""Trips: values that leave their device for NumPy, and what of them comes back.

Followed is only what torch could have computed where the values were: as soon as anything else has
a part in an array, it is an array like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import cutting
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.speed import ArrayTouched, Returned
from torchlint.interpreter.values import Const, Device, Tensor, Tuple
from torchlint.project.index import External

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def carried(machine: Machine, values: Iterable[Value]) -> Spot | None:
    """Where all came from that is computed from the values; None where others have a part in it."""
    found: Spot | None = None
    for value in values:
        for part in cutting.parts(machine, value):
            record = machine.get(part)
            match record if isinstance(record, Tensor) else part:
                case Tensor(device=Device(kind="cpu", spot=spot)) if spot is not None:
                    found = found or spot
                case Number(left=spot) if spot is not None:
                    found = found or spot
                case Const() | External() | Number(array=False, dtype=None, made=False):
                    pass
                case _:
                    return None
    return found


def taken(machine: Machine, owner: Number, index: Value) -> Spot | None:
    """Where a part of an array came from; element by element torch would not do it any faster."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    if owner.left is None or any(isinstance(p, Number) and p.left is None for p in parts):
        return None
    return carried(machine, (owner, index))


def touched(machine: Machine, values: Iterable[Value], spot: Spot) -> None:
    """Something unseen is given the values, and may write anything into arrays among them."""
    for value in values:
        if isinstance(value, Number) and value.left is not None:
            machine.emit(ArrayTouched, spot, left=value.left)


def written(machine: Machine, owner: Number, index: Value, value: Value, spot: Spot) -> None:
    """A part of an array is set to a value, which torch would have to have as well."""
    if owner.left is None:
        return
    if taken(machine, owner, index) is None or carried(machine, (owner, value)) is None:
        machine.emit(ArrayTouched, spot, left=owner.left)


def from_arrays(machine: Machine, values: Iterable[Value]) -> Spot | None:
    """Where arrays came from, as in :func:`carried`: tensors alone have not been to NumPy."""
    given = tuple(values)
    parts = (part for value in given for part in cutting.parts(machine, value))
    return carried(machine, given) if any(isinstance(part, Number) for part in parts) else None


def made_of(machine: Machine, values: Iterable[Value], device: Device | None) -> Device | None:
    """The device of a tensor that is made of arrays: it tells if these were brought there."""
    left = from_arrays(machine, values)
    return device if left is None else replace(device or Device("cpu", left), left=left)


def returned(machine: Machine, left: Spot | None, spot: Spot) -> None:
    """A tensor is moved to a device, which is where its values had come from."""
    if left is not None:
        called = [call.function.name for call in machine.activations if call.function is not None]
        applied = (machine.passing or machine.trace.forward) and "__init__" not in called
        machine.emit(Returned, spot, left=left, applied=applied)
