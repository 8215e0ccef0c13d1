"""Choosing among values by a condition, after they have been computed for all of them.

What is not chosen gets a gradient of zero; times an infinite slope that is NaN.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torchlint.interpreter import formulas
from torchlint.interpreter.events.numerics import LeftOut
from torchlint.interpreter.formulas import DIVISIONS, LOGARITHMS, Formula
from torchlint.interpreter.ranges import Kind
from torchlint.torch_api.registry import watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Applied

_VALUES = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
"""Values that tell conditions and operations apart: those in between are as one of these."""

_SWALLOWING = frozenset({"norm", "vector_norm", "std"})
"""What gives zeros a gradient of zero, whatever comes back to it."""

_EXACT = frozenset({"eq", "ne"})


def _is_zero(value: float, exponent: float | None) -> bool:
    return value == 0


def _is_not_positive(value: float, exponent: float | None) -> bool:
    return value <= 0


def _has_no_power(value: float, exponent: float | None) -> bool:
    if exponent is None or not math.isfinite(exponent):
        return False
    if exponent.is_integer():
        return exponent < 0 and value == 0
    return value < 0 or (value == 0 and exponent < 1)


def _is_out_of_bounds(value: float, exponent: float | None) -> bool:
    return abs(value) >= 1


_STEEP: dict[str, Callable[[float, float | None], bool]] = {
    **dict.fromkeys((*LOGARITHMS, *DIVISIONS, "rtruediv", "reciprocal"), _is_zero),
    **dict.fromkeys(("sqrt", "rsqrt"), _is_not_positive),
    **dict.fromkeys(("acos", "arccos", "asin", "arcsin"), _is_out_of_bounds),
    "pow": _has_no_power,
}
"""Where the slope of an operation is infinite or no number."""


@watch("where")
def _where(applied: Applied) -> None:
    condition = applied.inputs.get("condition")
    _left_out(applied, applied.inputs.get("input"), condition, chosen=True)
    _left_out(applied, applied.inputs.get("other"), condition, chosen=False)


@watch("masked_fill")
def _filled(applied: Applied) -> None:
    mask = applied.inputs.get("mask")
    _left_out(applied, applied.inputs.get("input"), mask, chosen=False)


@watch("setitem")
def _overwritten(applied: Applied) -> None:
    given = applied.inputs
    _left_out(applied, given.get("input"), given.get("indices"), chosen=False)


@watch("index", "masked_select")
def _taken(applied: Applied) -> None:
    given = list(applied.inputs.values())
    if len(given) == 2:
        _left_out(applied, given[0], given[1], chosen=True)


def _left_out(
    applied: Applied, value: Value | None, condition: Value | None, *, chosen: bool
) -> None:
    """Of what is ``chosen`` where a condition holds, or does not, note what the others do to it."""
    machine = applied.machine
    computed = formulas.of(machine, value)
    test = formulas.of(machine, condition)
    if computed is None or test is None or not computed.recorded:
        return
    for part in computed.parts():
        if part.op in _STEEP and part.spot is not None and _meets(part, test, chosen=chosen):
            machine.emit(LeftOut, applied.spot, steep=part.spot, what=_WORDS.get(part.op, part.op))
            return


def _meets(part: Formula, test: Formula, *, chosen: bool) -> bool:
    """Whether values that are left out have no slope where they come from, and something asks."""
    subject, exponent = _subject(part)
    if subject is None:
        return False
    for leaf in subject.variables():
        for value in _values(leaf, test):
            given = formulas.value_where(subject, leaf, value)
            holds = formulas.value_where(test, leaf, value)
            if given is None or holds is None or bool(holds) is chosen:
                continue
            if _STEEP[part.op](given, exponent) and _is_asked_for(part, leaf):
                return True
    return False


def _subject(part: Formula) -> tuple[Formula | None, float | None]:
    """What an operation is steep in, and the exponent that it is raised to."""
    position = 1 if part.op in DIVISIONS else 0
    subject = part.operands[position]
    exponent = part.operands[1] if part.op == "pow" else None
    if not isinstance(subject, Formula):
        return None, None
    return subject, exponent if isinstance(exponent, float) else None


def _values(leaf: Formula, test: Formula) -> Iterator[float]:
    """Values that a formula may well have."""
    known = leaf.range
    # What is compared with itself is asked whether it is a number.
    exact = any(part.op in _EXACT and len({*part.operands}) > 1 for part in test.parts())
    for value in _VALUES:
        if known is not None and not known.low <= value <= known.high:
            continue
        if value or known is None or known.kind is not Kind.SCORES or exact:
            yield value


def _is_asked_for(part: Formula, leaf: Formula) -> bool:
    """Whether a gradient comes back that is not swallowed where the values are zero."""
    return any(
        other.recorded and not (other == leaf and other.op in _SWALLOWING)
        for other in part.leaves()
    )


_WORDS = {
    **dict.fromkeys((*DIVISIONS, "rtruediv"), "this division"),
    "pow": "this power",
}
