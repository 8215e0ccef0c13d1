"""Profilers: what happens in their blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.debugging import Profiled
from torchlint.interpreter.values import Ref

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def made(machine: Machine, profiler: Ref, spot: Spot) -> None:
    """Remember a profiler that records all of its block."""
    machine.profilers[profiler.address] = spot, len(machine.trace.events)


def left(machine: Machine, managers: Iterable[Value]) -> None:
    """Note that the blocks of these managers are over, if profilers are among them."""
    for manager in managers if machine.profilers else ():
        if isinstance(manager, Ref) and manager.address in machine.profilers:
            spot, start = machine.profilers[manager.address]
            machine.emit(Profiled, spot, start=start)
