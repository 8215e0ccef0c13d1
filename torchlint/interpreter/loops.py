"""Loops: walked twice, or as often as there are known items; once where they are very deep."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter import (
    amounts,
    containers,
    holdings,
    iterators,
    loaders,
    rows,
    shapes,
    streams,
    syntax,
)
from torchlint.interpreter.activations import Loop
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.state import State, join
from torchlint.interpreter.values import NONE, Const, Parameters, Ref, Sequence, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Record, Spot, Value

_UNROLLED = 8
"""Loops over a known sequence are unrolled up to this length."""

_PLANNED = 24
"""What lists the layers of a network in numbers and words is unrolled up to this length."""

_DEEP = 6
"""What so many loops are around is walked once, since each doubles the work."""


@dataclass(frozen=True, slots=True)
class Item:
    """What a round is about; ``exact`` if the loop has just the rounds that are walked."""

    value: Value
    exact: bool


def rounds(machine: Machine, source: Value, spot: Spot) -> Iterator[Item]:
    """Walk the rounds of a loop over a value: a few, or as many as there are known items."""
    items = containers.known_items(machine, source)
    loop = machine.new_loop()
    machine.amounts.sources[loop] = source
    machine.trace.through[loop] = amounts.sources(source)
    if isinstance(source, Parameters):
        holdings.drain(machine, source, spot)
    record = machine.get(source)
    if isinstance(record, Sequence) and record.bound is not None:
        machine.trace.bounds[loop] = record.bound
    loaders.begin(machine, source, loop, spot)
    streams.drawn(machine, source, spot)
    if items is not None and len(items) <= _longest(record, items):
        if isinstance(record, Sequence):
            items = [iterators.made(machine, record.kind, item) for item in items]
        whole = any(isinstance(machine.get(item), Tensor) for item in _flat(items))
        for number, item in enumerate(items, start=1):
            if not whole:
                yield Item(item, exact=True)
            else:
                with machine.round(loop, number):
                    yield Item(item, exact=True)
        return
    for number in _few(machine):
        with machine.round(loop, number):
            if machine.state is None:
                return
            loaders.taken(machine, source, spot)
            yield Item(containers.element(machine, source, spot), exact=False)


def _longest(record: Record | None, items: list[Value]) -> int:
    """How many rounds may be walked one by one: more of a plan such as ``[64, "M", 128]``.

    So it is with what is generated, as the modules of a model are, of which most are passed by.
    """
    if isinstance(record, Sequence) and record.kind == "generator":
        return _PLANNED
    found = [item.value for item in items if isinstance(item, Const)]
    planned = len(found) == len(items) and {int, str} == set(map(type, found))
    return _PLANNED if planned else _UNROLLED


def _flat(items: Iterable[Value]) -> Iterator[Value]:
    for item in items:
        yield from item.items if isinstance(item, Tuple) else (item,)


def endless(machine: Machine) -> Iterator[Item]:
    """Walk a few rounds of a loop that is over nothing."""
    loop = machine.new_loop()
    for number in _few(machine):
        with machine.round(loop, number):
            yield Item(NONE, exact=False)


def _few(machine: Machine) -> Iterator[int]:
    """The rounds of a loop of unknown length: the second meets what the first has left.

    Where the run would come to its end in that one, it enters no functions there, but behind the
    loop.
    """
    began = machine.steps
    yield 1
    taken, left = machine.steps - began, machine.budget - machine.steps
    if len(machine.rounds) >= _DEEP:
        return
    if 0 < left < taken:
        with machine.within(0):
            yield 2
    else:
        yield 2


def walk(
    machine: Machine,
    items: Iterator[Item],
    body: Callable[[Item], None],
    node: syntax.Loop,
) -> list[State]:
    """Run the body once in each round; gives the states in which a ``break`` leaves the loop."""
    exits: list[State] = []
    unknown = False
    before, outer = machine.live.fork(), machine.rounds
    sizes: dict[str, Shape] = {}
    begun = new_address()
    for item in items:
        unknown = unknown or not item.exact
        loop = Loop(node if machine.rounds != outer else None)
        if loop.node is not None and isinstance(node.body[-1], (ast.Return, ast.Break)):
            machine.trace.attempts.add(machine.rounds[-1].loop)
        machine.activation.loops.append(loop)
        try:
            body(item)
        finally:
            machine.activation.loops.pop()
        machine.state = join([*loop.continues, *_present(machine)])
        exits.extend(loop.breaks)
        if machine.state is None:
            break
        if not item.exact:
            _loosen(machine, sizes, begun)
            sizes, begun = _sizes(machine), new_address()
    if machine.state is None and not exits:
        # Every round returns or raises: what follows is reached when there is no round at all.
        machine.state = before
    if unknown and machine.state is not None and not exits:
        rows.passed(machine, node)
    return exits


def _sizes(machine: Machine) -> dict[str, Shape]:
    """The shapes of local variables, as far as they are known."""
    found = {
        name: machine.peek(value)
        for name, value in machine.variables().names.items()
        if isinstance(value, Ref)
    }
    return {
        name: record.shape
        for name, record in found.items()
        if isinstance(record, Tensor) and record.shape is not None
    }


def _loosen(machine: Machine, sizes: dict[str, Shape], begun: int) -> None:
    """A tensor that is made of itself has other sizes after each round, of which none is the last.

    What rests on nothing from before the round is made anew in each.
    """
    for name, shape in sizes.items():
        value = machine.variables().names.get(name)
        record = machine.peek(value) if isinstance(value, Ref) else None
        if isinstance(value, Ref) and isinstance(record, Tensor) and record.since <= begun:
            known = shapes.common(shape, record.shape)
            if known != record.shape:
                machine.set(value, replace(record, shape=known))


def leave(machine: Machine, exits: list[State]) -> None:
    """Go on after a loop, and after its ``else``, from wherever it was left."""
    machine.state = join([*exits, *_present(machine)])


def _present(machine: Machine) -> list[State]:
    return [machine.state] if machine.state is not None else []
