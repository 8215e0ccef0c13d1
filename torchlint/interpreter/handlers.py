"""Handlers of exceptions: which of them hide whatever fails."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import names
from torchlint.interpreter.events.failures import Swallowed
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Step
from torchlint.project import doubts, flow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.trace import Event

_WIDE = frozenset({"Exception", "BaseException", "RuntimeError"})
_INTERRUPTS = frozenset({"KeyboardInterrupt", "SystemExit", "GeneratorExit"})


def catch_failures(handlers: Sequence[ast.ExceptHandler]) -> bool:
    """Whether something is done about what fails: who interrupts a program has seen none."""
    return any(not doubts.caught(each.type) <= _INTERRUPTS for each in handlers)


def swallowed(machine: Machine, handlers: Sequence[ast.ExceptHandler], start: int) -> None:
    """A training step was tried since an event; a handler that hides its failure is an event."""
    tried = tuple(event.spot for event in machine.trace.events[start:] if _is_training(event))
    for handler in handlers if tried else ():
        if _is_wide(handler.type) and flow.does_nothing(handler.body):
            machine.emit(Swallowed, handler, tried=tried)


def _is_training(event: Event) -> bool:
    """Whether a training step is sure to be part of what happens, not one that something may do."""
    return isinstance(event, Backward) or (isinstance(event, Step) and event.address is not None)


def _is_wide(kind: ast.expr | None) -> bool:
    """Whether a handler takes whatever may fail in torch."""
    match kind:
        case None:
            return True
        case ast.Tuple(elts=elements):
            return any(map(_is_wide, elements))
    return names.dotted(kind) in _WIDE
