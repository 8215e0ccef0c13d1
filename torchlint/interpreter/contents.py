"""What collections hold, and how much of it is kept apart.

A few lines, each of which doubles what the one before has made, would never come to an end: nothing
is known any more of what would hold too much. No collection holds itself either, so that what goes
through the items of one, and of those in it, comes to an end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.values import UNKNOWN, Const, Either, Mapping, Ref, Sequence, Tuple

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

MOST_ITEMS = 1_024
"""Of so many items, those in tuples within tuples among them, it is known which they are."""

_MOST_CHARACTERS = 1 << 16
_MOST_BITS = 1 << 9


def held(record: Sequence | Mapping) -> tuple[Value, ...]:
    """What a list or dict holds: its items, and what stands for others."""
    if isinstance(record, Sequence):
        known = record.items
    else:
        known = tuple(value for _, value in record.items)
    return known if record.rest is None else (*known, record.rest)


def apart(machine: Machine, owner: Value, value: Value) -> Value:
    """The value that a collection is to hold, not known where that would have it hold itself."""
    pending, seen = [value], set[int]()
    while pending:
        match pending.pop():
            case Tuple(items=items) | Either(options=items):
                pending.extend(items)
            case Ref(address=address) as current if address not in seen:
                if current == owner:
                    return UNKNOWN
                seen.add(address)
                record = machine.peek(current)
                if isinstance(record, (Sequence, Mapping)):
                    pending.extend(held(record))
    return value


def bounded(value: Value) -> Value:
    """The value, if it is not too large."""
    match value:
        case Const(value=str() as text) if len(text) > _MOST_CHARACTERS:
            return UNKNOWN
        case Const(value=int() as number) if number.bit_length() > _MOST_BITS:
            return UNKNOWN
        case Tuple() if _is_heavy(value):
            return UNKNOWN
    return value


def _is_heavy(value: Tuple) -> bool:
    count, pending = 0, [value]
    while pending and count <= MOST_ITEMS:
        items = pending.pop().items
        count += len(items)
        pending.extend(item for item in items if isinstance(item, Tuple))
    return count > MOST_ITEMS
