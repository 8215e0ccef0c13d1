"""Many values that Python makes one of: sums, reductions, and operators as functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import calls, containers, operators
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import UNKNOWN, Const
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value

_OPERATORS = {
    "operator.add": "Add",
    "operator.concat": "Add",
    "operator.iadd": "Add",
    "operator.iconcat": "Add",
    "operator.mul": "Mult",
}


@function("math.fsum")
def _number(call: Call) -> Value:
    return UNKNOWN


@function("builtins.sum")
def _sum(call: Call) -> Value:
    source = call.get("iterable", 0)
    if source is None:
        return UNKNOWN
    total = call.get("start", 1) or Const(0)
    for item in _items(call, source):
        total = operators.binary(call.machine, "Add", total, item, call.spot)
    return total


@function("functools.reduce")
def _reduce(call: Call) -> Value:
    """What a function of two makes of the items, one after the other."""
    step, source, start = call.get("function", 0), call.get("iterable", 1), call.get("initial", 2)
    if step is None or source is None:
        return UNKNOWN
    total = start
    for item in _items(call, source):
        if total is None:
            total = item
        else:
            total = calls.call(call.machine, step, Arguments((total, item)), call.spot)
    return UNKNOWN if total is None else total


def _items(call: Call, source: Value) -> list[Value]:
    """The items of something, two of them where their number is not known."""
    items = containers.known_items(call.machine, source)
    if items is not None:
        return list(items)
    return [containers.element(call.machine, source, call.spot)] * 2


@function(*_OPERATORS)
def _operator(call: Call) -> Value:
    one, other = call.get("a", 0), call.get("b", 1)
    if one is None or other is None:
        return UNKNOWN
    return operators.binary(call.machine, _OPERATORS[call.name], one, other, call.spot)
