"""Amounts: of what a number is the mean or the sum, and over which loop it was summed up."""

from __future__ import annotations

import ast
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.averages import Averaged
from torchlint.interpreter.values import Const, Either, Instance, Opaque, Ref, Spot, Tensor, Zipped

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value


class Of(Enum):
    """What a number tells of a batch, or of something that has a length."""

    MEAN = "means"
    SUM = "sums"
    SIZE = "sizes"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class Amount:
    """What a number amounts to: for one batch, or for those of a ``loop`` if that is not 0.

    ``spot`` is where a batch was measured; a length is that of the object at ``address``.
    """

    of: Of
    spot: Spot
    loop: int = 0
    address: int = 0


@dataclass(slots=True)
class Ledger:
    """What tensors amount to, by their address or by the place where they are made, what loops
    go through, and which tensors were drawn at random.
    """

    tensors: dict[int, Amount] = field(default_factory=dict)
    places: dict[Spot, Amount] = field(default_factory=dict)
    sources: dict[int, Value] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)


def measured(machine: Machine, value: Value, of: Of, spot: Spot) -> None:
    """Remember what a tensor tells of a batch."""
    if isinstance(value, Ref):
        machine.amounts.tensors[value.address] = Amount(of, spot)


def read(machine: Machine, tensor: Value | None, spot: Spot) -> Amount | None:
    """What a number amounts to that is read out of a tensor."""
    if isinstance(tensor, Ref) and tensor.address in machine.amounts.tensors:
        return machine.amounts.tensors[tensor.address]
    match spot.node:
        case ast.Call(func=ast.Attribute(value=source)):
            return machine.amounts.places.get(Spot(spot.region, source))
    return None


def length(machine: Machine, value: Value | None, spot: Spot) -> Amount | None:
    """What ``len`` amounts to: the size of what this round was given, or a length."""
    if not isinstance(value, Ref):
        return None
    record = machine.get(value)
    if isinstance(record, Tensor) or (machine.births and not machine.is_older(value.address)):
        return Amount(Of.SIZE, spot)
    return Amount(Of.LENGTH, spot, address=value.address)


def computed(
    machine: Machine, operator: str, left: Value, right: Value, spot: Spot
) -> Amount | None:
    """What the result of plain arithmetic amounts to."""
    match operator:
        case "Add":
            return _added(machine, left, right) or _added(machine, right, left)
        case "Mult":
            # A percentage, for one.
            factor, total = (left, right) if isinstance(left, Const) else (right, left)
            amount = _of(total)
            return amount if isinstance(factor, Const) and amount and amount.loop else None
        case "Div":
            _divided(machine, _of(left), _of(right), spot)
    return None


def _of(value: Value) -> Amount | None:
    return value.amount if isinstance(value, Number) else None


def _added(machine: Machine, total: Value, value: Value) -> Amount | None:
    """A total that begins with nothing, and to which what is measured is added in each round."""
    one = _of(value)
    if one is None or one.loop or one.of is Of.LENGTH or not machine.rounds:
        return None
    after = replace(one, loop=machine.rounds[-1].loop)
    return after if total in (Const(0), Const(0.0)) or _of(total) == after else None


def _divided(machine: Machine, total: Amount | None, by: Amount | None, spot: Spot) -> None:
    """Note a division of the total of a loop by its number of batches, or of samples."""
    if total is None or by is None or not total.loop:
        return
    if any(round_.loop == total.loop for round_ in machine.rounds):
        return
    through = machine.trace.through.get(total.loop, frozenset())
    samples = by.of is Of.SIZE and by.loop == total.loop
    batches = by.of is Of.LENGTH and by.address in through
    if by.of is Of.LENGTH and not batches:
        samples = any(_dataset(machine, source) == by.address for source in through)
    if (samples and total.of is Of.MEAN) or (batches and total.of is Of.SUM):
        machine.emit(Averaged, spot, means=total.of is Of.MEAN, measured=total.spot, number=by.spot)


def sources(value: Value | None) -> frozenset[int]:
    """The addresses of what a loop goes through."""
    match value:
        case Zipped(parts=parts) | Either(options=parts):
            return frozenset().union(*(sources(part) for part in parts if part is not None))
        case Ref(address=address):
            return frozenset({address})
    return frozenset()


def _dataset(machine: Machine, address: int) -> int | None:
    """The address of the dataset of a loader, unless each of its batches is one sample."""
    record = machine.live.heap.get(address)
    if not isinstance(record, (Instance, Opaque)):
        return None
    sizes = record.attributes.get("batch_size")
    if sizes == Const(1) or (isinstance(record, Instance) and sizes is None):
        return None
    dataset = record.attributes.get("dataset")
    return dataset.address if isinstance(dataset, Ref) else None
