"""Ranks: for which of the processes that run a program a branch is."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from torchlint.interpreter.events.data import RankGiven
from torchlint.interpreter.events.distributed import Unseen
from torchlint.interpreter.processes import ALL, ALONE, COMPUTED, FIRST, OTHERS, Process, RankTest
from torchlint.interpreter.values import (
    UNKNOWN,
    Const,
    Either,
    Opaque,
    Ref,
    Sequence,
    Tuple,
    options_of,
)
from torchlint.project.index import External

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.state import State
    from torchlint.interpreter.values import Spot, Value

_ALONE_NUMBERS = {"rank": (-1, 0), "world": (0, 1)}
_LEAST = {"rank": 1, "world": 2}
_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
}
_HOLDS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: lambda one, other: one == other,
    ast.NotEq: lambda one, other: one != other,
    ast.Lt: lambda one, other: one < other,
    ast.Gt: lambda one, other: one > other,
    ast.LtE: lambda one, other: one <= other,
    ast.GtE: lambda one, other: one >= other,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}


def process(machine: Machine, number: str) -> Ref:
    """A number that tells the processes of one program apart, or says how many there are."""
    machine.has_processes = True
    return machine.new(Process(number))


def number_of(machine: Machine, value: Value) -> Process | None:
    """The number of a process that a value is, where there are several."""
    if machine.has_processes:
        for option in options_of(value):
            record = machine.get(option)
            if isinstance(record, Process):
                return record
    return None


def compare(machine: Machine, operator: ast.cmpop, left: Value, right: Value) -> RankTest | None:
    """What comparing a rank or the size of the world tells; None for other comparisons."""
    number, kind = number_of(machine, left), type(operator)
    if number is None:
        number, kind, right = number_of(machine, right), _FLIPPED.get(kind, kind), left
    if number is None or number == COMPUTED or kind not in _HOLDS:
        return None
    other = _constant(machine, right, collection=kind in {ast.In, ast.NotIn})
    return None if other is None else _test(number, lambda n: _HOLDS[kind](n, other))


def _constant(machine: Machine, value: Value, *, collection: bool) -> object | None:
    if not collection:
        known = isinstance(value, Const) and isinstance(value.value, int)
        return value.value if known and isinstance(value, Const) else None
    record = machine.get(value)
    items = value.items if isinstance(value, Tuple) else ()
    if isinstance(record, Sequence) and record.rest is None:
        items = record.items
    numbers = tuple(item.value for item in items if isinstance(item, Const))
    return numbers if numbers and len(numbers) == len(items) else None


def _test(number: Process, holds: Callable[[int], bool]) -> RankTest:
    """For which processes a property of their number can hold, and for which it can fail."""
    least = _LEAST[number.number]
    several = tuple(range(least, least + 16))
    numbers = {ALONE: _ALONE_NUMBERS[number.number], OTHERS: several}
    numbers[FIRST] = (0,) if number.number == "rank" else several
    return RankTest(
        frozenset(who for who, they in numbers.items() if any(map(holds, they))),
        frozenset(who for who, they in numbers.items() if not all(map(holds, they))),
    )


def test_of(machine: Machine, value: Value) -> RankTest | None:
    """The truth of a value as far as it depends on the process; None where it does not."""
    number = number_of(machine, value)
    if number is not None:
        return None if number == COMPUTED else _test(number, bool)
    if isinstance(value, RankTest):
        return value
    if isinstance(value, Either):
        tests = [_qualified(option, ALL) for option in value.options]
        if any(isinstance(option, RankTest) for option in value.options):
            return _union(tests)
    return None


def either(left: RankTest, right: RankTest) -> RankTest:
    """One test that stands for either of two."""
    return _union((left, right))


def _union(tests: Iterable[RankTest]) -> RankTest:
    tests = list(tests)
    return RankTest(
        frozenset().union(*(test.true for test in tests)),
        frozenset().union(*(test.false for test in tests)),
    )


def _qualified(value: Value, ranks: frozenset[str]) -> RankTest:
    """The truth of a value where only some processes have it."""
    match value:
        case RankTest(true=true, false=false):
            return RankTest(true & ranks, false & ranks)
        case Const(value=constant):
            return RankTest(ranks, frozenset()) if constant else RankTest(frozenset(), ranks)
    return RankTest(ranks, ranks)


def combined(machine: Machine, left: Value, right: Value, *, conjunction: bool) -> RankTest | None:
    """``left and right``, or ``left or right``, where either depends on the process."""
    one, other = test_of(machine, left), test_of(machine, right)
    if one is None and other is None:
        return None
    one, other = one or _qualified(left, ALL), other or _qualified(right, ALL)
    if conjunction:
        return RankTest(one.true & other.true, one.false | (one.true & other.false))
    return RankTest(one.true | (one.false & other.true), one.false & other.false)


def restrict(machine: Machine, test: Value, *, positive: bool) -> None:
    """Go on with the processes for which a test has come out true, or false."""
    found = test_of(machine, test)
    if found is not None and machine.state is not None:
        machine.state.ranks &= found.true if positive else found.false
        if not machine.state.ranks:
            machine.state = None


def returned(ends: list[tuple[State, Value]]) -> list[Value]:
    """What a function returns; truths that differ by process become tests of the process."""
    values = [value for _, value in ends]
    if len({state.ranks for state, _ in ends}) < 2:
        return values
    if not all(
        isinstance(value, RankTest) or (isinstance(value, Const) and isinstance(value.value, bool))
        for value in values
    ):
        return values
    return [_union(_qualified(value, state.ranks) for state, value in ends)]


def computed(machine: Machine, *values: Value) -> Value | None:
    """What is made of a rank, by arithmetic or as a text, which no two processes share."""
    for value in values:
        number = number_of(machine, value)
        if number is not None and number.number != "world":
            return machine.new(COMPUTED)
    return None


def given(machine: Machine, values: Iterable[Value], spot: Spot) -> None:
    """Note that something is told the rank."""
    for value in values:
        number = number_of(machine, value)
        if number is not None and number.number != "world":
            machine.emit(RankGiven, spot)


def unseen(machine: Machine, spot: Spot) -> None:
    """Note that only some of the processes call something that may be anything."""
    if machine.live.ranks != ALL:
        machine.emit(Unseen, spot, ranks=machine.live.ranks)


def take_for_rank(machine: Machine, value: Value | None) -> None:
    """Treat what was opaque as a rank from now on."""
    if isinstance(value, Ref) and isinstance(machine.get(value), Opaque):
        machine.has_processes = True
        machine.set(value, Process("rank"))


ENVIRONMENT = External("os.environ")
_VARIABLES = {"RANK": "rank", "LOCAL_RANK": "rank", "WORLD_SIZE": "world"}


def of_environment(machine: Machine, name: Value | None) -> Value:
    """What torchrun and its kin have written into an environment variable."""
    if isinstance(name, Const) and name.value in _VARIABLES:
        return process(machine, _VARIABLES[str(name.value)])
    return UNKNOWN
