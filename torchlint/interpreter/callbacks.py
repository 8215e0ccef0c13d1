"""Callbacks: functions of the project that something else calls, who knows when."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter.events.training import Step
from torchlint.interpreter.optimisation import HIDDEN, Optimizer
from torchlint.interpreter.values import (
    UNKNOWN,
    Bound,
    Frame,
    Function,
    Instance,
    Mapping,
    Ref,
    Sequence,
    Spot,
    Tensor,
)
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_STEPS = Pattern(r"\b(?:step|zero_grad)\b")


def handed(machine: Machine, function: Function | Bound) -> Iterable[Value]:
    """Allow for a function being called unseen; gives what else it can reach.

    One that steps may step any optimizer, and a method may leave other tensors on its object.
    """
    left(machine, function)
    if isinstance(function, Bound):
        called = [function.method] if isinstance(function.method, Function) else []
        return [function.receiver, *called]
    if _STEPS.search(function.region.text):
        machine.emit(Step, Spot(function.region, function.node), address=None)
        for address in machine.live.optimizers:
            record = machine.live.heap.get(address)
            if isinstance(record, Optimizer):
                gradients = record.gradients | {HIDDEN}
                machine.live.heap[address] = replace(record, gradients=gradients, escaped=True)
    return ()


def left(machine: Machine, callback: Value | None) -> None:
    """A function may run from now on.

    A method may replace the tensors that its object holds, and a function within a function put
    more into the lists and dictionaries of that. What these hold is not known where it does.
    """
    match callback:
        case Bound(receiver=Ref() as owner, method=Function(name=name)):
            _replaced(machine, owner, name)
        case Function(closure=int(), node=node):
            filled = _filled(node)
            for name, value in _closed_over(machine, callback):
                match machine.peek(value), value:
                    case (Sequence() | Mapping()) as record, Ref() as held if name not in filled:
                        machine.set(held, replace(record, escaped=True))
                    case Sequence() as record, Ref() as held:
                        put = replace(record, items=(), rest=UNKNOWN, last=(), escaped=True)
                        machine.set(held, put)
                    case Mapping() as record, Ref() as held:
                        machine.set(held, replace(record, items=(), rest=UNKNOWN, escaped=True))


def _replaced(machine: Machine, owner: Ref, name: str) -> None:
    record = machine.peek(owner)
    if isinstance(record, Instance) and isinstance(record.cls, Definition):
        method = machine.index.family(record.cls).method(name)
        attributes = dict(record.attributes)
        for write in method.writes if method is not None else ():
            if isinstance(machine.peek(attributes.get(write.name, UNKNOWN)), Tensor):
                attributes[write.name] = UNKNOWN
        machine.set(owner, replace(record, attributes=attributes))


_FILLING = frozenset({"append", "appendleft", "extend", "insert", "setdefault", "update"})


def _filled(function: ast.AST) -> set[str]:
    """The names of what a function puts items into."""
    names = set()
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                names.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=put)) if put in _FILLING:
                names.add(name)
    return names


def closed_over(machine: Machine, function: Function) -> list[Value]:
    """What a function within a function can reach without being handed it."""
    return [value for _, value in _closed_over(machine, function)]


def _closed_over(machine: Machine, function: Function) -> list[tuple[str, Value]]:
    """What a function within a function can reach, with the names that it has there."""
    frames = []
    outer = function.closure
    while outer is not None and outer not in machine.modules.values():
        frame = machine.live.heap.get(outer)
        if not isinstance(frame, Frame):
            break
        frames.append(frame)
        outer = frame.parent
    if not frames:
        return []
    named = {each.id for each in ast.walk(function.node) if isinstance(each, ast.Name)}
    return [item for frame in frames for item in frame.names.items() if item[0] in named]
