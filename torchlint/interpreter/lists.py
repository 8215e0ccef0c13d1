"""Lists: what an item is that may be any, and what they hold once one is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import shapes
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.state import join_values
from torchlint.interpreter.values import UNKNOWN, Const, Ref, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Sequence, Value


def any_of(machine: Machine, items: list[Value]) -> Value:
    """One of several items: another each time, as far as is known, though of their memory."""
    picked = machine.join_all(items) or UNKNOWN
    record = machine.peek(picked)  # No layer has to be built for that.
    if len(items) > 1 and isinstance(record, Tensor) and len(record.storages) > 1:
        return machine.new(replace(record, storages=record.storages | {new_address()}))
    return picked


def particular(machine: Machine, item: Value, index: Value) -> Value:
    """An item that stands for any, at one place: others need not have the size it turns out to."""
    tensor = machine.peek(item)
    if not isinstance(tensor, Tensor) or shapes.is_known(tensor.shape) or tensor.leaf:
        return item
    if not isinstance(index, Const) or not isinstance(item, Ref):
        return item
    picked = machine.new(tensor)
    if item.address in machine.trace.taken:
        machine.trace.taken.add(picked.address)
    return picked


def with_item(machine: Machine, sequence: Sequence, index: Value, value: Value) -> Sequence:
    """A list with an item replaced: any may be the one, where the place is not known."""
    items, rest = sequence.items, sequence.rest
    if isinstance(index, Const) and type(index.value) is int:
        from_end = index.value < 0 and rest is None
        place = index.value + len(items) if from_end else index.value
        if 0 <= place < len(items):
            return replace(sequence, items=(*items[:place], value, *items[place + 1 :]))
    either = tuple(join_values(machine.live, item, value) for item in items)
    rest = value if rest is None else join_values(machine.live, rest, value)
    return replace(sequence, items=either, rest=rest, last=())
