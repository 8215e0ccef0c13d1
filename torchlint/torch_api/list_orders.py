"""Methods of lists that put items elsewhere than at the end, or take some away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import containers, contents
from torchlint.interpreter.values import NONE, UNKNOWN, Const, Sequence
from torchlint.torch_api.registry import Call, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


def _sequence(call: Call) -> Sequence:
    record = call.machine.get(call.receiver) if call.receiver is not None else None
    assert isinstance(record, Sequence)
    return record


@method("list", "insert", "appendleft")
def _insert(call: Call) -> Value:
    """An item is put before others, so that their places are known only where its own is."""
    assert call.receiver is not None
    left = call.name == "appendleft"
    place = Const(0) if left else call.get("index", 0)
    value = call.get("object", 0 if left else 1)
    if value is None:
        return NONE
    before = _sequence(call)
    containers.append(call.machine, call.receiver, value, call.spot)
    after = _sequence(call)
    if after.rest is not None or len(after.items) != len(before.items) + 1:
        call.machine.set(call.receiver, replace(after, last=()))
        return NONE
    if isinstance(place, Const) and type(place.value) is int:
        items = list(before.items)
        items.insert(place.value, after.items[-1])
        call.machine.set(call.receiver, replace(after, items=tuple(items)))
    else:
        _shuffle(call)
    return NONE


@method("list", "remove", "discard")
def _remove(call: Call) -> Value:
    """The first item that is equal is taken away."""
    assert call.receiver is not None
    sequence, value = _sequence(call), call.get("value", 0)
    known = sequence.rest is None and all(isinstance(item, Const) for item in sequence.items)
    if known and isinstance(value, Const) and not call.machine.rounds:
        items = list(sequence.items)
        if value in items:
            items.remove(value)
        call.machine.set(call.receiver, replace(sequence, items=tuple(items)))
    else:
        _shuffle(call)
    return NONE


@method("list", "reverse")
def _reverse(call: Call) -> Value:
    assert call.receiver is not None
    sequence = _sequence(call)
    if sequence.rest is None and not call.machine.rounds:
        call.machine.set(call.receiver, replace(sequence, items=sequence.items[::-1]))
    else:
        _shuffle(call)
    return NONE


@method("list", "sort")
def _sort(call: Call) -> Value:
    _shuffle(call)
    return NONE


def _shuffle(call: Call) -> None:
    """Which item is where, and how many there are, is not known any more."""
    assert call.receiver is not None
    sequence = _sequence(call)
    held = contents.held(sequence)
    if held:
        rest = call.machine.join_all(held) or UNKNOWN
        call.machine.set(call.receiver, replace(sequence, items=(), rest=rest, last=()))
