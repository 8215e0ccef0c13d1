"""Alternatives: values of which one is there, as settings that are not known have come out."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from torchlint.interpreter import calls, choosing, holdings, replicas
from torchlint.interpreter.values import NONE, UNKNOWN, Bound, Instance
from torchlint.project import excluding

if TYPE_CHECKING:
    from torchlint.interpreter.choosing import Venture
    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Spot, Value

_CHANGES = frozenset(
    "eval train to cuda cpu half float double bfloat16 type requires_grad_ load_state_dict".split()
)
"""Methods by which a module is changed, and nothing else."""


def call(machine: Machine, options: tuple[Value, ...], arguments: Arguments, spot: Spot) -> Value:
    """The value of calling one of several things."""
    bare = replicas.unwrapped(machine, options, spot)
    if bare is not None:
        return calls.call(machine, bare, arguments, spot)
    meant = _meant(machine, options, spot)
    if _are_changed(machine, options):
        values = [calls.call(machine, option, arguments, spot) for option in meant]
        return machine.join_all(values) or UNKNOWN
    found: list[list[Venture]] = []

    def tried(option: Value) -> Value:
        with choosing.one_of(machine) as ventures:
            found.append(ventures)
            return calls.call(machine, option, arguments, spot)

    results = machine.branches(partial(tried, option) for option in meant)
    choosing.agreed(machine, found)
    return machine.join_all(results) or UNKNOWN


def _meant(machine: Machine, options: tuple[Value, ...], spot: Spot) -> list[Value]:
    """Which of several values may be called: not what was built for another setting, if any."""
    several = [option for option in options if option != NONE]
    records = [machine.peek(option) for option in several]
    found = [
        option
        for option, record in zip(several, records, strict=True)
        if not (
            isinstance(record, Instance) and record.spot and excluding.exclude(spot, record.spot)
        )
    ]
    return found or several


def _are_changed(machine: Machine, options: tuple[Value, ...]) -> bool:
    """Whether modules are changed of which only one was built, or wraps all others.

    Whichever it is, it is so from then on: there are no ways to be told apart.
    """
    if not all(isinstance(each, Bound) and each.method in _CHANGES for each in options):
        return False
    owners = [each.receiver for each in options if isinstance(each, Bound)]
    return all(_is_one(machine, *pair) for pair in combinations(owners, 2))


def _is_one(machine: Machine, one: Value, other: Value) -> bool:
    first, second = machine.peek(one), machine.peek(other)
    if not isinstance(first, Instance) or not isinstance(second, Instance):
        return False
    wrapped = replicas.wraps(first, other) or replicas.wraps(second, one)
    return wrapped or holdings.are_apart(machine, one, other)
