"""Names in the text of a loop: which are given values there, and how often one is read."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.interpreter import names
from torchlint.interpreter.events.speed import Regrown

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from torchlint.interpreter.machine import Machine

    Loop = cst.For | cst.While


def varies(loop: Loop, node: cst.CSTNode, steady: Container[cst.CSTNode] = ()) -> bool:
    """Whether an expression may have another value in another round.

    Calls always may, but for those among ``steady``.
    """
    given = _given(loop)
    return any(
        (isinstance(part, (cst.Call, cst.Await, cst.Yield)) and part not in steady)
        or (isinstance(part, cst.Name) and part.value in given)
        or (isinstance(part, cst.Attribute) and names.dotted(part) in given)
        for part in _parts(node)
    )


def regrown(machine: Machine, node: cst.Assign) -> None:
    """Note a ``x = f([x, …])`` in a loop that does nothing else with ``x``."""
    loop, call = machine.loop, node.value
    if loop is None or not isinstance(call, cst.Call) or len(node.targets) != 1 or not call.args:
        return
    target, joined = node.targets[0].target, call.args[0].value
    if not isinstance(target, cst.Name) or not isinstance(joined, (cst.List, cst.Tuple)):
        return
    name = target.value
    held = [
        element.value
        for element in joined.elements
        if isinstance(element.value, cst.Name) and element.value.value == name
    ]
    if len(held) == 1 and machine.in_every_round and mentions(loop, name) == 2:
        machine.emit(Regrown, node, name=name, call=machine.spot(call))


@lru_cache(maxsize=256)
def carries(loop: Loop) -> bool:
    """Whether a loop adds to something that it does not set itself, or asks for a multiple of what
    it counts by: it is meant to go round more than once.
    """
    added: set[str] = set()
    given: set[str] = set()
    counters: set[str] = set()
    for part in _parts(loop):
        match part:
            case cst.AugAssign(target=target):
                added.update(_targets(target))
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value=name)), args=[_, *_]):
                # What lists, progress bars and meters of running means take in.
                if name in _GATHERING:
                    added.add(names.dotted(owner))
            case cst.AssignTarget(target=target) | cst.AnnAssign(target=target):
                given.update(_targets(target))
            case cst.For(target=target):
                given.update(_targets(target))
    if isinstance(loop, cst.For):
        counters.update(_targets(loop.target))
    return bool(added - given - {""}) or any(
        isinstance(part, cst.BinaryOperation)
        and isinstance(part.operator, cst.Modulo)
        and any(name in counters for name in _targets(part.left))
        for part in _parts(loop)
    )


_GATHERING = frozenset({"append", "extend", "update"})


@lru_cache(maxsize=256)
def _given(loop: Loop) -> frozenset[str]:
    """Names and dotted names that the loop assigns to."""
    found: set[str] = set()
    for part in _parts(loop):
        match part:
            case (
                cst.AssignTarget(target=target)
                | cst.AugAssign(target=target)
                | cst.AnnAssign(target=target)
                | cst.For(target=target)
                | cst.CompFor(target=target)
                | cst.NamedExpr(target=target)
                | cst.AsName(name=target)
                | cst.Del(target=target)
            ):
                found.update(_targets(target))
    return frozenset(found)


def _targets(target: cst.CSTNode) -> Iterator[str]:
    match target:
        case cst.Name() | cst.Attribute():
            yield names.dotted(target)
        case cst.Subscript(value=value) | cst.StarredElement(value=value):
            yield from _targets(value)
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from _targets(element.value)


@lru_cache(maxsize=256)
def mentions(loop: Loop, name: str) -> int:
    """How often a name stands in a loop, keywords and attributes of that name set aside."""
    return sum(isinstance(part, cst.Name) and part.value == name for part in _parts(loop))


def _parts(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all that is in it that can be a value: no names of keywords or attributes."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        match current:
            case cst.Attribute(value=value):
                pending.append(value)
            case cst.Arg(value=value):
                pending.append(value)
            case _:
                pending.extend(current.children)
