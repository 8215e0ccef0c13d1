"""What happens whenever the program comes by: in every call, in every round, at every step."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

    Rounds that leave out what cannot be read leave out the step as well.
    """
    walks = len(machine.live.walked)
    return _goes_on(machine) and all(len(state.walked) < walks for state in _left(machine))


def _goes_on(machine: Machine) -> bool:
    """Whether no test decides on what happens now in this round, but those on leaving it."""
    forks, depth = machine.round_began
    returned = any(activation.returns for activation in machine.activations[depth:])
    return bool(machine.rounds) and machine.forks == forks and not returned


def _left(machine: Machine) -> list[State]:
    """The states in which this round of the innermost loop was left for the next."""
    _, depth = machine.round_began
    loops = machine.activations[depth - 1].loops[-1:]
    return [state for loop in loops for state in loop.continues]
