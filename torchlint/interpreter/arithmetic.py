"""Arithmetic: the bounds of sums, products, quotients and powers."""

from __future__ import annotations

import math
from math import inf
from typing import TYPE_CHECKING

from torchlint.interpreter.ranges import Kind, Range
from torchlint.interpreter.values import Const, Tensor

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.ranges import Operation


def _add(operation: Operation, given: Range | None) -> Range | None:
    other = operation.range("other")
    scoring = _scores_with_number(operation, given, other)
    if scoring is not None:
        return scoring
    for scores, bias in ((given, "other"), (other, "input")):
        if scores is not None and scores.kind is Kind.SCORES and operation.is_parameter(bias):
            return scores
    if given is None or other is None:
        return None
    if given.kind is Kind.SCORES and other.kind is Kind.SCORES:
        return given
    tight = given if operation.number("other") is not None else None
    return operation.bounded(given.low + other.low, given.high + other.high, like=tight)


def _scores_with_number(
    operation: Operation, given: Range | None, other: Range | None
) -> Range | None:
    """Scores stay scores when a number, or something that is no tensor, changes them."""
    number = operation.inputs.get("other")
    is_number = number is not None and not isinstance(operation.machine.get(number), Tensor)
    if given is not None and given.kind is Kind.SCORES and is_number and number != Const(0):
        return given
    return None


def _negated(operation: Operation, given: Range | None) -> Range | None:
    if given is None or given.kind is Kind.SCORES:
        return given
    return operation.bounded(-given.high, -given.low, like=given)


def _subtract(operation: Operation, given: Range | None) -> Range | None:
    other = operation.range("other")
    scoring = _scores_with_number(operation, given, other)
    if scoring is not None:
        return scoring
    if given is None or other is None or Kind.SCORES in (given.kind, other.kind):
        return None
    tight = given if operation.number("other") is not None else None
    return operation.bounded(given.low - other.high, given.high - other.low, like=tight)


def _subtracted(operation: Operation, given: Range | None) -> Range | None:
    """``other - input``."""
    if given is None:
        return None
    other = operation.range("other")
    if given.kind is Kind.SCORES:
        return given if operation.number("other") is not None else None
    if other is None:
        return None
    tight = given if operation.number("other") is not None else None
    return operation.bounded(other.low - given.high, other.high - given.low, like=tight)


def _multiply(operation: Operation, given: Range | None) -> Range | None:
    if operation.inputs.get("input") == operation.inputs.get("other"):
        return _power_of(operation, given, 2.0)
    other = operation.range("other")
    scoring = _scores_with_number(operation, given, other)
    if scoring is not None:
        return scoring
    if given is None or other is None:
        return None
    ends = [_times(a, b) for a in (given.low, given.high) for b in (other.low, other.high)]
    tight = given if operation.number("other") is not None else None
    return operation.bounded(min(ends), max(ends), like=tight)


def _times(one: float, other: float) -> float:
    """The product of two bounds, where no value is infinite itself."""
    return 0.0 if 0.0 in (one, other) else one * other


def _divide(operation: Operation, given: Range | None) -> Range | None:
    other = operation.range("other")
    scoring = _scores_with_number(operation, given, other)
    if scoring is not None:
        return scoring
    if given is None or other is None:
        return None
    if other.may_be_zero:
        # Of a quotient that may be infinite the sign is known at best.
        return operation.bounded(0.0, inf) if given.low >= 0 and other.low >= 0 else None
    inverse = sorted((1 / other.low, 1 / other.high))
    ends = [_times(a, b) for a in (given.low, given.high) for b in inverse]
    tight = given if operation.number("other") is not None else None
    return operation.bounded(min(ends), max(ends), like=tight)


def _divided(operation: Operation, given: Range | None) -> Range | None:
    """``other / input``."""
    other = operation.range("other")
    if given is None or other is None or given.low < 0 or other.low < 0:
        return None
    low = _times(other.low, 1 / given.high) if given.high else 0.0
    high = inf if given.low == 0 else _times(other.high, 1 / given.low)
    return operation.bounded(low, high)


def _power(operation: Operation, given: Range | None) -> Range | None:
    exponent = operation.number("other")
    if exponent is None:
        exponent = operation.number("exponent")
    return None if exponent is None else _power_of(operation, given, exponent)


def raised(base: float, exponent: float) -> float:
    """A power, which may be more than a float holds."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return inf


def _power_of(operation: Operation, given: Range | None, exponent: float) -> Range | None:
    if exponent <= 0:
        return operation.bounded(0.0, inf) if given is not None and given.low >= 0 else None
    if given is not None and given.low >= 0:
        ends = raised(given.low, exponent), raised(given.high, exponent)
        return operation.bounded(*ends, like=given)
    if exponent % 2 == 0:
        most = max(abs(given.low), abs(given.high)) if given is not None else inf
        high = raised(most, exponent)
        reached = given if given is not None and given.may_be_zero else None
        return operation.bounded(0.0, high, like=reached)
    return None


def _whole_part(operation: Operation, given: Range | None) -> Range | None:
    """``input // n`` and ``input >> n``."""
    number = operation.number("other")
    if number is not None and "shift" in operation.name:
        number = raised(2.0, number)
    if given is None or number is None or number <= 0 or inf in (-given.low, given.high):
        return None
    return operation.bounded(given.low // number, given.high // number, like=given)


def _rest(operation: Operation, given: Range | None) -> Range | None:
    """``input % n``."""
    number = operation.number("other")
    if number is None or number <= 0:
        return None
    most = number - 1 if given is not None and given.kind is Kind.SPREAD else number
    return operation.bounded(0.0, most)


def _bits(operation: Operation, given: Range | None) -> Range | None:
    """``input & n``."""
    number = operation.number("other")
    return None if number is None or number < 0 else operation.bounded(0.0, number)


TRANSFERS: dict[str, Callable[[Operation, Range | None], Range | None]] = {
    **dict.fromkeys(("add", "radd", "iadd"), _add),
    **dict.fromkeys(("sub", "subtract", "isub"), _subtract),
    **dict.fromkeys(("rsub",), _subtracted),
    **dict.fromkeys(("mul", "multiply", "rmul", "imul"), _multiply),
    **dict.fromkeys(("div", "divide", "true_divide", "truediv", "itruediv"), _divide),
    **dict.fromkeys(("rtruediv", "rdiv"), _divided),
    **dict.fromkeys(("pow", "ipow"), _power),
    **dict.fromkeys(("floordiv", "floor_divide", "rshift"), _whole_part),
    **dict.fromkeys(("mod", "remainder"), _rest),
    **dict.fromkeys(("and", "bitwise_and"), _bits),
    "neg": _negated,
    "negative": _negated,
}
"""The range of a result, by the plain name of the operation."""
