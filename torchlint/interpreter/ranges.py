"""Ranges: between which bounds a tensor's values lie, and how they came there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from torchlint.interpreter.values import Const, Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


class Kind(Enum):
    """What the values of a tensor are known to be.

    ``SCORES`` are what a layer computes, unbounded on either side, ``RECTIFIED`` what an activation
    that lets nothing negative through leaves of them; of ``BOUNDED`` only the bounds are known.
    """

    PROBABILITIES = auto()
    LOG_PROBABILITIES = auto()
    UNIT_INTERVAL = auto()
    SCORES = auto()
    RECTIFIED = auto()
    BOUNDED = auto()


@dataclass(frozen=True, slots=True)
class Range:
    """Between which bounds a tensor's values lie, and the operation that brought them there.

    ``tight`` says that for some inputs they come to either bound, ``dim`` along which dimension
    they were normalised, as it is written there.
    """

    kind: Kind
    by: Spot
    op: str
    low: float = -math.inf
    high: float = math.inf
    tight: bool = False
    dim: int | None = None

    @property
    def may_be_zero(self) -> bool:
        """Whether zero lies between the bounds."""
        return self.low <= 0 <= self.high

    @property
    def normalised(self) -> bool:
        """Whether a softmax, a sigmoid or their like brought the values there."""
        return self.kind in {Kind.PROBABILITIES, Kind.UNIT_INTERVAL, Kind.LOG_PROBABILITIES}


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

    def bounded(self, low: float, high: float, *, like: Range | None = None) -> Range:
        """A range of which only the bounds are known, as tight as that which it comes from."""
        tight = like is not None and like.tight
        return Range(Kind.BOUNDED, self.spot, self.label, low, high, tight)


def scores(operation: Operation) -> Range:
    """The range of what a layer computes with its weights."""
    return Range(Kind.SCORES, operation.spot, operation.label, tight=True)


def hull(ranges: list[Range | None]) -> Range | None:
    """The range of values that may come from any of several."""
    known = [range_ for range_ in ranges if range_ is not None]
    if not known or len(known) < len(ranges):
        return None
    first = known[0]
    if all(other.kind is first.kind for other in known):
        low, high = min(r.low for r in known), max(r.high for r in known)
        return replace(first, low=low, high=high, tight=all(r.tight for r in known))
    low, high = min(r.low for r in known), max(r.high for r in known)
    return Range(Kind.BOUNDED, first.by, first.op, low, high)
