"""Alternatives: values of which one is there, as settings that are not known have come out."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from torchlint.interpreter import calls, replicas
from torchlint.interpreter.values import NONE, UNKNOWN, Bound, Instance
from torchlint.project import excluding
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.project.outline import Definition

_SWITCHES = frozenset({"eval", "train"})


def call(machine: Machine, options: tuple[Value, ...], arguments: Arguments, spot: Spot) -> Value:
    """The value of calling one of several things."""
    bare = replicas.unwrapped(machine, options, spot)
    if bare is not None:
        return calls.call(machine, bare, arguments, spot)
    ways = [
        partial(calls.call, machine, option, arguments, spot)
        for option in _meant(machine, options, arguments, spot)
    ]
    if _are_switched(machine, options):
        return machine.join_all([way() for way in ways]) or UNKNOWN
    machine.choices += 1
    try:
        results = machine.branches(ways)
    finally:
        machine.choices -= 1
    return machine.join_all(results) or UNKNOWN


def _meant(
    machine: Machine, options: tuple[Value, ...], arguments: Arguments, spot: Spot
) -> list[Value]:
    """Which of several values may be called, if any.

    Not what was built for another setting, nor a layer that takes less than it would be given.
    """
    several = [option for option in options if option != NONE]
    records = [machine.peek(option) for option in several]
    found = [
        option
        for option, record in zip(several, records, strict=True)
        if not isinstance(record, Instance)
        or not (
            (record.spot and excluding.exclude(spot, record.spot))
            or _takes_less(record.cls, arguments)
        )
    ]
    return found or several


def _takes_less(cls: Definition | str, arguments: Arguments) -> bool:
    if not isinstance(cls, str) or not cls.startswith("torch.nn."):
        return False
    names = generated.forward_names(cls.rpartition(".")[2])
    return 0 < len(names) < len(arguments.positional)


def _are_switched(machine: Machine, options: tuple[Value, ...]) -> bool:
    """Whether modules are given a mode of which only one was built, or wraps all others.

    Whichever it is, it is in that mode then: there are no ways to be told apart.
    """
    if not all(isinstance(each, Bound) and each.method in _SWITCHES for each in options):
        return False
    owners = [each.receiver for each in options if isinstance(each, Bound)]
    return all(_is_one(machine, *pair) for pair in combinations(owners, 2))


def _is_one(machine: Machine, one: Value, other: Value) -> bool:
    first, second = machine.peek(one), machine.peek(other)
    if not isinstance(first, Instance) or not isinstance(second, Instance):
        return False
    if replicas.wraps(first, other) or replicas.wraps(second, one):
        return True
    if first.spot is None or second.spot is None:
        return False
    return excluding.are_apart(first.spot, second.spot)
