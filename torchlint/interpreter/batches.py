"""Batches: what a loader makes of the items of its dataset."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from torchlint.interpreter import shapes, tensors
from torchlint.interpreter.values import Const, Instance, Mapping, Tensor, Tuple

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_OF_NUMBERS: dict[type, str] = {bool: "bool", int: "int64", float: "float64"}


def batch(machine: Machine, loader: Instance) -> Value:
    """A batch of a loader: its items stacked, where what they are is known."""
    item = loader.attributes.get("@item")
    name = shapes.new_name()
    return _stacked(machine, item, name) if item is not None else tensors.new_tensor(machine, None)


def items(machine: Machine, dataset: Instance) -> Value | None:
    """An item of a dataset of tensors; None where it is not known what it is made of."""
    held = dataset.attributes.get("tensors")
    if not isinstance(held, Tuple):
        return None
    return Tuple(tuple(_row(machine, value) for value in held.items))


def _row(machine: Machine, value: Value) -> Value:
    record = machine.get(value)
    if not isinstance(record, Tensor):
        return tensors.new_tensor(machine, None)
    row = record.shape[1:] if record.shape and shapes.is_whole(record.shape) else None
    return machine.new(replace(record, shape=row))


def _stacked(machine: Machine, item: Value, name: str) -> Value:
    """Items put together along a new dimension at the front, as ``default_collate`` does."""
    match item:
        case Tuple(items=parts):
            return Tuple(tuple(_stacked(machine, part, name) for part in parts))
        case Const(value=bool() | int() | float() as number):
            dtype = _OF_NUMBERS[type(number)]
            return tensors.new_tensor(machine, None, dtype=dtype, shape=(name,))
    match machine.get(item):
        case Mapping(items=pairs, rest=None) as mapping:
            stacked = tuple((key, _stacked(machine, value, name)) for key, value in pairs)
            return machine.new(replace(mapping, items=stacked))
        case Tensor() as tensor:
            shape = (name, *tensor.shape) if tensor.shape is not None else None
            facts = {"range": tensor.range, "dtype": tensor.dtype, "shape": shape}
            return tensors.new_tensor(machine, None, **facts)
    return tensors.new_tensor(machine, None)
