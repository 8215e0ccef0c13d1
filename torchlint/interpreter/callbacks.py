"""Callbacks: functions of the project that something else calls, who knows when."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter.events.training import Step
from torchlint.interpreter.optimisation import HIDDEN, Optimizer
from torchlint.interpreter.values import UNKNOWN, Bound, Function, Instance, Ref, Spot, Tensor
from torchlint.project.outline import Definition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_STEPS = re.compile(r"\b(?:step|zero_grad)\b")


def handed(machine: Machine, function: Function | Bound) -> Iterable[Value]:
    """Allow for a function being called unseen; gives what else it can reach.

    One that steps may step any optimizer, and a method may leave other tensors on its object.
    """
    if isinstance(function, Bound):
        left(machine, function)
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
    """A method may run from now on, and replace the tensors that its object holds."""
    match callback:
        case Bound(receiver=Ref() as owner, method=Function(name=name)):
            record = machine.peek(owner)
        case _:
            return
    if isinstance(record, Instance) and isinstance(record.cls, Definition):
        method = machine.index.family(record.cls).method(name)
        attributes = dict(record.attributes)
        for write in method.writes if method is not None else ():
            if isinstance(machine.peek(attributes.get(write.name, UNKNOWN)), Tensor):
                attributes[write.name] = UNKNOWN
        machine.set(owner, replace(record, attributes=attributes))
