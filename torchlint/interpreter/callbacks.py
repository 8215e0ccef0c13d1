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
    more into the lists and dictionaries of that.
    """
    match callback:
        case Bound(receiver=Ref() as owner, method=Function(name=name)):
            _replaced(machine, owner, name)
        case Function(closure=int()):
            for value in closed_over(machine, callback):
                record = machine.peek(value)
                if isinstance(record, (Sequence, Mapping)) and isinstance(value, Ref):
                    machine.set(value, replace(record, escaped=True))


def _replaced(machine: Machine, owner: Ref, name: str) -> None:
    record = machine.peek(owner)
    if isinstance(record, Instance) and isinstance(record.cls, Definition):
        method = machine.index.family(record.cls).method(name)
        attributes = dict(record.attributes)
        for write in method.writes if method is not None else ():
            if isinstance(machine.peek(attributes.get(write.name, UNKNOWN)), Tensor):
                attributes[write.name] = UNKNOWN
        machine.set(owner, replace(record, attributes=attributes))


def closed_over(machine: Machine, function: Function) -> list[Value]:
    """What a function within a function can reach without being handed it."""
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
    return [value for frame in frames for name, value in frame.names.items() if name in named]
