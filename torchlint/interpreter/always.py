"""What happens whenever the program comes by: in every call, in every round, at every step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Step
from torchlint.project.portability import speaks_of_devices
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.state import State


def in_every_call(machine: Machine) -> bool:
    """Whether what happens now happens in every call of the innermost function."""
    return machine.forks == machine.activation.forks and not machine.activation.returns


def in_every_round(machine: Machine) -> bool:
    """Whether what happens now happens in every round of the innermost loop."""
    return _goes_on(machine) and not is_left(machine)


def is_left(machine: Machine) -> bool:
    """Whether some way has left this round of the innermost loop for the next."""
    return bool(_left(machine))


def at_every_step(machine: Machine) -> bool:
    """Whether it happens in every round, but for those that were left before a walk of this one.

    Rounds that leave out what cannot be read leave out the step as well; and what asks for a device
    is decided once for all of them.
    """
    settled = _asks_for_devices(machine)
    return _goes_on(machine, settled) and (_left_untrained(machine) or not _has_trained(machine))


def _left_untrained(machine: Machine) -> bool:
    """Whether the rounds that were left for the next lack a walk that this one has made."""
    walks = len(machine.live.walked)
    return all(len(each.walked) < walks for each in _left(machine))


def _has_trained(machine: Machine) -> bool:
    """Whether this round of the innermost loop has made a walk or a step so far, on any way."""
    within = machine.rounds
    events = (*machine.trace.of(Backward), *machine.trace.of(Step))
    return any(event.rounds[: len(within)] == within for event in events)


_DEVICE = Pattern(r"(?:not )?[\w.]+(?:\(\))?(?: == [\"']\w+[\"'])?")
"""A test of one flag or name, as it may ask whether there is a device."""


def _asks_for_devices(machine: Machine) -> int:
    """How many tests decide on what runs now in the innermost call, if all ask for a device."""
    tests = [each.region.text_of(each.node) for each in machine.activation.tests]
    alone = all(_DEVICE.fullmatch(test) and speaks_of_devices(test) for test in tests)
    return len(tests) if alone else 0


def _goes_on(machine: Machine, settled: int = 0) -> bool:
    """Whether no test decides on what happens now in this round, but those on leaving it.

    ``settled`` is the number of those that come out the same in all rounds.
    """
    forks, depth = machine.round_began
    returned = any(activation.returns for activation in machine.activations[depth:])
    return bool(machine.rounds) and machine.forks <= forks + settled and not returned


def _left(machine: Machine) -> list[State]:
    """The states in which this round of the innermost loop was left for the next."""
    _, depth = machine.round_began
    loops = machine.activations[depth - 1].loops[-1:]
    return [state for loop in loops for state in loop.continues]
