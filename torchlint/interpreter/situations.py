"""Situations: where in the program a machine is, to come back to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ast

    from torchlint.interpreter.activations import Activation
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Round
    from torchlint.project.regions import Region


class Situation(NamedTuple):
    """What holds of a machine but for the state, by the names that it has there."""

    frame: int
    region: Region
    activations: tuple[Activation, ...]
    rounds: tuple[Round, ...]
    births: tuple[int, ...]
    round_began: tuple[int, int]
    guards: tuple[str, ...]
    choices: int
    forks: int
    tries: int
    passing: bool
    abroad: bool
    statement: ast.expr | None


def present(machine: Machine) -> Situation:
    """Where the machine is."""
    there = [getattr(machine, name) for name in Situation._fields]
    return Situation(*there)._replace(activations=tuple(machine.activations))


def enter(machine: Machine, there: Situation) -> None:
    """Put the machine where it was."""
    for name, value in zip(Situation._fields, there, strict=True):
        setattr(machine, name, value)
    machine.activations = list(there.activations)
