"""What holds of a machine while it is where a test has led, and is put back after.

These are classes, for generators take four times as long, and each arm of each branch needs both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.project import portability

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot


class Fork:
    """Where the program may not come along; if it is ``decided``, it does this time.

    What comes after an arm that leaves is as undecided as the arm.
    """

    __slots__ = ("_activation", "_exits", "_machine", "_undecided")

    def __init__(self, machine: Machine, *, decided: bool = False) -> None:
        self._machine, self._activation = machine, machine.activations[-1]
        self._undecided = not decided

    def __enter__(self) -> None:
        self._exits = self._activation.exits
        self._machine.forks += 1
        self._activation.undecided += self._undecided

    def __exit__(self, *_: object) -> None:
        self._machine.forks -= 1
        if self._activation.exits == self._exits:
            self._activation.undecided -= self._undecided


class Guard:
    """Where a test has decided; ``name`` is that of the flag that is true, if it is one."""

    __slots__ = (
        "_activation",
        "_flags",
        "_machine",
        "_outer",
        "_returns",
        "_tests",
        "name",
        "test",
    )

    def __init__(self, machine: Machine, name: str | None, test: Spot) -> None:
        self._machine, self._activation = machine, machine.activations[-1]
        self.name, self.test = name, test

    def __enter__(self) -> None:
        machine, activation = self._machine, self._activation
        self._outer, self._tests = machine.guards, activation.tests
        self._flags, self._returns = activation.flags, len(activation.returns)
        if self.name is not None:
            machine.guards = (*self._outer, self.name)
            if portability.speaks_of_devices(self.name):
                activation.flags = (*self._flags, self.name)
        activation.tests = (*self._tests, self.test)

    def __exit__(self, *_: object) -> None:
        activation = self._activation
        if len(activation.returns) > self._returns:
            activation.left.append(activation.tests[-1])
        self._machine.guards, activation.tests = self._outer, self._tests
        activation.flags = self._flags
