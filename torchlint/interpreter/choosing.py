"""One of several values is used: what comes of each of them comes whichever it is."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.trace import Event
    from torchlint.interpreter.values import Spot

    Venture = tuple[type[Event], Spot, dict[str, Any]]


@contextmanager
def one_of(machine: Machine) -> Iterator[list[Venture]]:
    """While one of several values is used, what is ventured is kept aside."""
    outer, machine.ventures = machine.ventures, []
    machine.choices += 1
    try:
        yield machine.ventures
    finally:
        machine.choices -= 1
        machine.ventures = outer


def venture(machine: Machine, event: type[Event], spot: Spot, **facts: Any) -> None:
    """Write an event that is one only if it comes of each value that there may be."""
    if machine.choices:
        machine.ventures.append((event, spot, facts))
    else:
        machine.emit(event, spot, **facts)


def agreed(machine: Machine, found: list[list[Venture]]) -> None:
    """Write what was ventured with each of several values, if there is something with each."""
    if not all(found):
        return
    for event, spot, facts in {each[:2]: each for ventures in found for each in ventures}.values():
        venture(machine, event, spot, **facts)
