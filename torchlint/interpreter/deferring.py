"""Objects that are built when somebody looks into them.

Most parts of a module are never looked at where its forward, or a function, runs on its own: the
calls end before they come to them. What they would be made of need not be known then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import addresses, instances, passes, situations
from torchlint.interpreter.switches import BUILT
from torchlint.interpreter.values import (
    Frame,
    Instance,
    Mapping,
    Ref,
    Sequence,
    Tuple,
)
from torchlint.interpreter.waiting import Order, Unbuilt
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Record, Spot, Value
    from torchlint.project.outline import Definition


def construct(machine: Machine, definition: Definition, arguments: Arguments, spot: Spot) -> Value:
    """A new object of a class of the project, built now or when somebody looks into it."""
    if machine.trace.program or not kinds.is_module(machine.index, definition):
        return instances.construct(machine, definition, arguments, spot)
    given = _given(machine, arguments)
    kept = addresses.keep() if given is not None else None
    if given is None or kept is None:
        return instances.construct(machine, definition, arguments, spot)
    situation, switches = situations.present(machine), machine.live.switches
    order = Order(definition, arguments, spot, kept, situation, switches, given)
    return machine.new(Unbuilt(definition, spot=spot, order=order))


def _given(machine: Machine, arguments: Arguments) -> dict[Ref, Record] | None:
    """The collections among arguments; None if what there is may be used up in the meantime."""
    found: dict[Ref, Record] = {}
    pending = list(arguments.values())
    while pending:
        value = pending.pop()
        if isinstance(value, Tuple):
            pending.extend(value.items)
        record = machine.peek(value)
        if isinstance(record, (Sequence, Mapping)):
            assert isinstance(value, Ref)
            if isinstance(record, Sequence) and record.kind == "generator":
                return None
            found[value] = record
    return found


def build(machine: Machine, ref: Ref) -> Instance:
    """Carry out the constructor of an object that waits for it, as if it had run at its time."""
    waiting = machine.peek(ref)
    assert isinstance(waiting, Unbuilt)
    order = waiting.order
    assert order is not None
    if not order.made:
        _carry_out(machine, ref, waiting, order)
    machine.live.heap.update(order.made)
    if waiting.escaped:
        machine.escape([ref])
    elif waiting.modes is not BUILT:
        passes.give(machine, ref, waiting.modes)
    record = machine.peek(ref)
    assert isinstance(record, Instance)
    return record


def _carry_out(machine: Machine, ref: Ref, waiting: Unbuilt, order: Order) -> None:
    machine.set(ref, Instance(order.definition, {**waiting.attributes}, spot=waiting.spot))
    now, switches = situations.present(machine), machine.live.switches
    situations.enter(machine, order.situation)
    machine.live.put_back(order.switches)
    try:
        with addresses.of(order.kept):
            machine.frame = machine.new(Frame({}, order.spot.region.outline)).address
            arguments = _as_they_were(machine, order)
            instances.construct_in(machine, ref, order.definition, arguments, order.spot)
    finally:
        situations.enter(machine, now)
    machine.live.put_back(switches)
    first, end = order.kept.first, order.kept.end
    heap = machine.live.heap
    order.made = {at: record for at, record in heap.items() if first <= at < end}
    order.made[ref.address] = heap[ref.address]


def _as_they_were(machine: Machine, order: Order) -> Arguments:
    """The arguments, with collections that have changed since put as they were."""
    changed = {
        ref: machine.new(record)
        for ref, record in order.given.items()
        if machine.peek(ref) is not record
    }
    if not changed:
        return order.arguments

    def earlier(value: Value) -> Value:
        if isinstance(value, Tuple):
            return replace(value, items=tuple(map(earlier, value.items)))
        return changed.get(value, value) if isinstance(value, Ref) else value

    given = order.arguments
    keywords = {name: earlier(value) for name, value in given.keywords.items()}
    return replace(given, positional=tuple(map(earlier, given.positional)), keywords=keywords)
