"""Arithmetic of bytes: where it goes beyond them, and what is done with that on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import bounding, dtypes, facts, formulas
from torchlint.interpreter.events.pictures import Meant, Wraps
from torchlint.interpreter.ranges import BYTE, Kind, Operation
from torchlint.interpreter.values import Const, Tensor
from torchlint.torch_api.registry import Applied, Call, hear, watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Range
    from torchlint.interpreter.values import Spot, Value

_BYTES = "uint8"
_DIFFERENCES = frozenset("sub rsub isub subtract".split())
_SHIFTS = _DIFFERENCES | {"add", "radd", "iadd"}
_ONES = frozenset({Const(1), Const(-1)})


@watch("add", "radd", "iadd", "sub", "rsub", "isub", "subtract", "mul", "rmul", "imul")
@watch("multiply", "neg", "negative", "square", "pow", "ipow")
def _computed(applied: Applied) -> None:
    """What is computed of bytes is one itself, for some of the values that are there."""
    machine, inputs = applied.machine, dict(applied.inputs)
    records = [machine.get(value) for value in inputs.values()]
    if not any(isinstance(record, Tensor) and record.dtype == _BYTES for record in records):
        return
    name, label = facts.plain(applied.op)
    if name == "square":
        name, inputs = "pow", {**inputs, "other": Const(2)}
    operation = Operation(machine, name, inputs, applied.spot, label)
    changed = records[0] if name in {"iadd", "isub", "imul", "ipow"} else None
    dtype = changed.dtype if isinstance(changed, Tensor) else dtypes.result(operation)
    given = _spread(machine, name, inputs)
    found = bounding.result(operation)
    if dtype == _BYTES and given and found is not None and (found.low < 0 or found.high > BYTE):
        machine.emit(
            Wraps,
            applied.spot,
            op=label,
            low=found.low,
            high=found.high,
            sources=tuple(dict.fromkeys(range_.by for range_ in given)),
        )


def _spread(machine: Machine, name: str, inputs: dict[str, Value]) -> list[Range]:
    """The ranges of the tensors, if these have values at both ends, and each for itself.

    That one is added or taken away is done with the numbers of classes, which are no colours.
    """
    if not inputs.keys() <= {"input", "other", "exponent"}:
        return []
    found: dict[object, Range] = {}
    for value in inputs.values():
        record = machine.get(value)
        if isinstance(record, Tensor):
            if record.range is None or not record.range.tight:
                return []
            found[formulas.of(machine, value)] = record.range
        elif not _is_amount(value, name):
            return []
    if name in _DIFFERENCES and len(found) == 1 and not _has_number(inputs):
        return []
    alone = len(found) == 1 or all(one.kind is Kind.SPREAD for one in found.values())
    return list(found.values()) if alone else []


def _is_amount(value: Value, name: str) -> bool:
    """Whether a value is a whole number, and no one that is added or taken away."""
    known = isinstance(value, Const) and type(value.value) is int
    return known and (name not in _SHIFTS or value not in _ONES)


def _has_number(inputs: dict[str, Value]) -> bool:
    return any(isinstance(value, Const) for value in inputs.values())


def _mean(machine: Machine, values: Iterable[Value | None], spot: Spot) -> None:
    """What these were computed by may have wrapped around."""
    for value in values:
        formula = formulas.of(machine, value)
        spots = {part.spot for part in formula.parts()} if formula is not None else set()
        if spots - {None}:
            machine.emit(Meant, spot, spots=frozenset(filter(None, spots)))


@watch("where", "masked_fill", "masked_select", "index", "and", "bitwise_and")
def _chosen(applied: Applied) -> None:
    """Some of the values are left out, or only their last bits asked for."""
    _mean(applied.machine, applied.inputs.values(), applied.spot)


@watch("mul", "rmul", "imul")
def _masked(applied: Applied) -> None:
    records = map(applied.machine.get, applied.inputs.values())
    if any(isinstance(record, Tensor) and record.dtype == "bool" for record in records):
        _mean(applied.machine, applied.inputs.values(), applied.spot)


@hear("tensor", "char", "to", "view", "type")
def _signed(call: Call) -> None:
    """As numbers with a sign the same bits are what was computed."""
    asked = {dtypes.named(value) for value in call.arguments.values()}
    if call.name == "char" or "int8" in asked:
        _mean(call.machine, (call.receiver,), call.spot)
