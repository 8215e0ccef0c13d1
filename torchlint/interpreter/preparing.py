"""What Accelerate has prepared, and what takes part in its training without having been."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import absences, holdings, optimizers
from torchlint.interpreter.events.data import Pass
from torchlint.interpreter.events.frameworks import Prepared, Unprepared
from torchlint.interpreter.values import Instance, Ref

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Tensor, Value


def note(machine: Machine, values: Iterable[Value], spot: Spot, *, more: bool) -> None:
    """Note that these objects are prepared, but for optimizers that others of them hold."""
    values = list(values)
    roots = frozenset(value.address for value in values if isinstance(value, Ref))
    more = more or len(roots) < len(values)
    held = {address for address, _ in optimizers.known(machine)} - roots
    machine.emit(Prepared, spot, objects=placed(machine, roots) - held, more=more)


def placed(machine: Machine, roots: frozenset[int]) -> frozenset[int]:
    """From now on these objects are where others have put them; gives all modules among them."""
    objects = frozenset(holdings.modules_under(machine, roots))
    absences.changed(machine, *map(Ref, objects))
    for address in (*objects, *roots):
        record = machine.live.heap.get(address)
        if isinstance(record, Instance) and record.device is not None:
            machine.live.heap[address] = replace(record, device=None)
    return objects


def look_for_missing(machine: Machine, loss: Tensor | None) -> None:
    """Look at what takes part in a backward that Accelerate manages.

    Where nothing was prepared, or something out of sight may have been, nothing is missing.
    """
    events = machine.trace.of(Prepared)
    if loss is None or not events or any(event.more for event in events):
        return
    prepared = frozenset().union(*(event.objects for event in events))
    reached, _ = holdings.owners_of(loss.node)
    for address, optimizer in optimizers.known(machine):
        held = optimizer.parameters
        if held is None or not held.whole or optimizer.hinted:
            continue
        if not reached.isdisjoint(holdings.modules_under(machine, held.owners)):
            _missing(machine, "optimizer", {address} - prepared, optimizer.spot)
            for owner in held.owners - prepared:
                _missing(machine, "model", {owner}, _spot_of(machine, owner))
    loops = {each.loop for each in machine.rounds}
    for loop in machine.trace.of(Pass):
        if loop.sure and loop.loop in loops:
            for loader in loop.loaders - prepared:
                _missing(machine, "loader", {loader}, _spot_of(machine, loader))


def _spot_of(machine: Machine, address: int) -> Spot | None:
    record = machine.live.heap.get(address)
    return record.spot if isinstance(record, Instance) else None


def _missing(machine: Machine, kind: str, addresses: set[int], spot: Spot | None) -> None:
    """Note what is not prepared, unless something out of sight has it too."""
    if spot is not None and addresses and not addresses & machine.trace.escaped:
        machine.emit(Unprepared, spot, kind=kind)
