"""Handlers of exceptions: which of them hide whatever fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.interpreter import names
from torchlint.interpreter.events.failures import Swallowed
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchlint.interpreter.machine import Machine

    Handlers = Sequence[cst.ExceptHandler] | Sequence[cst.ExceptStarHandler]

_WIDE = frozenset({"Exception", "BaseException", "RuntimeError"})


def swallowed(machine: Machine, handlers: Handlers, start: int) -> None:
    """A training step was tried since an event; a handler that hides its failure is an event."""
    tried = tuple(
        event.spot for event in machine.trace.events[start:] if isinstance(event, (Backward, Step))
    )
    for handler in handlers if tried else ():
        if _is_wide(handler.type) and _does_nothing(handler.body):
            machine.emit(Swallowed, handler, tried=tried)


def _is_wide(kind: cst.BaseExpression | None) -> bool:
    """Whether a handler takes whatever may fail in torch."""
    match kind:
        case None:
            return True
        case cst.Tuple(elements=elements):
            return any(_is_wide(element.value) for element in elements)
    return names.dotted(kind) in _WIDE


def _does_nothing(body: cst.BaseSuite) -> bool:
    for line in body.body:
        if not isinstance(line, cst.SimpleStatementLine) and isinstance(body, cst.IndentedBlock):
            return False
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else (line,):
            match statement:
                case cst.Pass() | cst.Continue() | cst.Break():
                    pass
                case cst.Expr(value=cst.Ellipsis() | cst.SimpleString()):
                    pass
                case _:
                    return False
    return True
