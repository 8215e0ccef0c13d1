"""Time that is measured: reads of a clock, work that is handed to a device, and waits for it.

Nothing is written down before a clock was read, as then nobody asks.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from torchlint.interpreter import always
from torchlint.interpreter.events.speed import Clock, Elapsed, Synced, Waited, Worked
from torchlint.interpreter.values import Opaque, Ref, Tensor, Tuple, options_of

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Device, Spot, Value


def waited(machine: Machine, spot: Spot, *, sure: bool = True) -> None:
    """Something waits for the device, or may do so unseen."""
    if machine.trace.of(Clock):
        machine.emit(Waited, spot, sure=sure)


def picked(machine: Machine, owner: Tensor | Opaque, index: Value, spot: Spot) -> None:
    """What a mask picks is counted first, which waits; what is not known may be a mask.

    It may be a key as well, if it stands alone, where the owner is not known to be a tensor.
    """
    may_be_key = isinstance(owner, Opaque) and not isinstance(index, Tuple)
    for part in index.items if isinstance(index, Tuple) else (index,):
        match machine.get(part):
            case Tensor(dtype="bool"):
                waited(machine, spot)
            case Tensor(dtype=None):
                waited(machine, spot, sure=False)
            case Opaque() if not may_be_key:
                waited(machine, spot, sure=False)


def needed(machine: Machine, value: Value, spot: Spot, how: str) -> None:
    """The program needs values, which may be on a device, before it can go on."""
    tensor = machine.get(value)
    if not isinstance(tensor, Tensor) or tensor.device is None or tensor.device.kind != "moved":
        return
    if always.in_every_round(machine):
        machine.emit(Synced, spot, how=how)


def worked(machine: Machine, device: Device | None, spot: Spot) -> None:
    """A module is applied where it is; of interest where that is no CPU."""
    away = device is not None and device.kind == "moved" and not device.so_far
    if away and machine.trace.of(Clock):
        machine.emit(Worked, spot)


def worked_beside(machine: Machine, arguments: Arguments, spot: Spot) -> None:
    """A model of which nobody says where it is works where its inputs were moved to."""
    for value in arguments.positional[:1]:
        given = machine.get(value)
        if isinstance(given, (Tensor, Opaque)):
            worked(machine, given.device, spot)


def elapsed(machine: Machine, operator: str, left: Value, right: Value, spot: Spot) -> None:
    """A difference may be one of two times, of which either may have been read here or there."""
    if operator != "Sub" or not machine.trace.of(Clock):
        return
    for stop, start in product(options_of(left), options_of(right)):
        if isinstance(stop, Ref) and isinstance(start, Ref):
            machine.emit(Elapsed, spot, start=start.address, stop=stop.address)
