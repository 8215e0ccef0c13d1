"""Ranges: between which bounds a tensor's values lie, and how they came there."""

from __future__ import annotations

import math
from ctypes import c_float
from enum import Enum, auto
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter import leaves
from torchlint.interpreter.values import Const, Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


class Kind(Enum):
    """What the values of a tensor are known to be.

    ``SCORES`` are what a layer computes, unbounded on either side, ``RECTIFIED`` what an activation
    that lets nothing negative through leaves of them. ``SPREAD`` are whole numbers as drawing gives
    them, or pictures: any between the bounds, each for itself. Of ``BOUNDED`` only the bounds are
    known.
    """

    PROBABILITIES = auto()
    LOG_PROBABILITIES = auto()
    UNIT_INTERVAL = auto()
    SCORES = auto()
    RECTIFIED = auto()
    SPREAD = auto()
    BOUNDED = auto()


@dataclass(frozen=True, slots=True)
class Range:
    """Between which bounds a tensor's values lie, and the operation that brought them there.

    ``tight`` says that for some inputs they come to either bound, ``dim`` along which dimension
    they were normalised, as it is written there, ``sole`` that no other operation may have brought
    them there.
    """

    kind: Kind
    by: Spot
    op: str
    low: float = -math.inf
    high: float = math.inf
    tight: bool = False
    dim: int | None = None
    sole: bool = True

    @property
    def may_be_zero(self) -> bool:
        """Whether zero lies between the bounds."""
        return self.low <= 0 <= self.high

    @property
    def normalised(self) -> bool:
        """Whether a softmax, a sigmoid or their like brought the values there."""
        return self.kind in {Kind.PROBABILITIES, Kind.UNIT_INTERVAL, Kind.LOG_PROBABILITIES}


JOINS = frozenset("cat concat concatenate stack vstack hstack".split())
"""Operations whose result has the elements of several tensors, and no others."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation whose range is asked for: its plain name, and what it is applied to."""

    machine: Machine
    name: str
    inputs: Mapping[str, Value]
    spot: Spot
    label: str
    layer: bool = False

    def range(self, parameter: str) -> Range | None:
        """The range of an operand; a number is its own."""
        value = self.inputs.get(parameter)
        if isinstance(value, Const):
            number = value.value
            if isinstance(number, (int, float)):
                return self.bounded(float(number), float(number))
            return None
        record = self.machine.get(value) if value is not None else None
        return record.range if isinstance(record, Tensor) else None

    def number(self, parameter: str) -> float | None:
        """The number that an operand is; None where it is none, or not known."""
        value = self.inputs.get(parameter)
        if isinstance(value, Const) and isinstance(value.value, (int, float)):
            return float(value.value)
        return None

    def held(self, parameter: str) -> float | None:
        """The same as the input has it: one less a very small number is one, but in 64 bits."""
        number = self.number(parameter)
        value = self.inputs.get("input")
        record = self.machine.get(value) if value is not None else None
        if number is None or (isinstance(record, Tensor) and record.dtype == "float64"):
            return number
        rounded = c_float(number).value
        return rounded if rounded.is_integer() else number

    def is_parameter(self, operand: str) -> bool:
        """Whether an operand is a leaf that requires grad, or a view of one."""
        value = self.inputs.get(operand)
        record = self.machine.get(value) if value is not None else None
        return isinstance(record, Tensor) and leaves.origin(record) is not None

    def bounded(self, low: float, high: float, *, like: Range | None = None) -> Range:
        """A range of which only the bounds are known, as tight as that which it comes from."""
        tight = like is not None and like.tight
        spread = like is not None and like.kind is Kind.SPREAD
        kind = Kind.SPREAD if spread else Kind.BOUNDED
        return Range(kind, self.spot, self.label, low, high, tight)


def scores(operation: Operation) -> Range:
    """The range of what a layer computes with its weights."""
    return Range(Kind.SCORES, operation.spot, operation.label, tight=True)


BYTE = 255
"""The largest number that a ``uint8`` holds."""


def spread(by: Spot, op: str, low: float = 0, high: float = BYTE) -> Range:
    """The range of whole numbers that are any between two bounds."""
    return Range(Kind.SPREAD, by, op, low, high, tight=True)


def held(range_: Range | None, dtype: str | None) -> Range | None:
    """A range as a type holds it: what is beyond a ``uint8`` is in it, but nobody knows where."""
    if dtype != "uint8" or range_ is None:
        return range_
    return range_ if range_.low >= 0 and range_.high <= BYTE else None


def cut_to_bytes(range_: Range | None) -> Range | None:
    """The range of values that are made whole numbers of ``uint8``.

    What comes from all that such a one holds is a picture.
    """
    if range_ is None or not (range_.low >= 0 and range_.high <= BYTE):
        return None
    low, high = math.trunc(range_.low), math.trunc(range_.high)
    if (low, high) == (0, BYTE):
        return spread(range_.by, range_.op)
    kind = range_.kind if range_.kind is Kind.SPREAD else Kind.BOUNDED
    return replace(range_, kind=kind, low=low, high=high, dim=None)


def hull(ranges: list[Range | None]) -> Range | None:
    """The range of values that may come from any of several."""
    known = [range_ for range_ in ranges if range_ is not None]
    if not known or len(known) < len(ranges):
        return None
    first = known[0]
    if all(other == first for other in known):
        return first
    low, high = min(r.low for r in known), max(r.high for r in known)
    if any(other.kind is not first.kind for other in known):
        return Range(Kind.BOUNDED, first.by, first.op, low, high, sole=False)
    dim = first.dim if all(other.dim == first.dim for other in known) else None
    tight = all(r.tight for r in known)
    return replace(first, low=low, high=high, tight=tight, dim=dim, sole=False)
