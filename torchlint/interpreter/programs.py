"""Programs: which statements of a file's top level train something, or load data."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from typing import TYPE_CHECKING

from torchlint.interpreter.events.data import Pass
from torchlint.interpreter.events.loading import Imported
from torchlint.interpreter.events.seeds import Trained
from torchlint.interpreter.events.training import Built, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine


@contextmanager
def trains(machine: Machine) -> Iterator[None]:
    """Around a statement of the top level: note that it trains, the first time that one does."""
    trace = machine.trace
    before, passes = len(trace.of(Step)), len(trace.of(Pass))
    yield
    statement = machine.region.statements[-1]
    is_guarded = isinstance(statement, ast.If) and is_main(statement.test)
    if machine.outline.source.is_module and not is_guarded:
        for each in trace.of(Pass)[passes:]:
            machine.emit(Imported, _head(statement), what=each)
    built = {event.address for event in trace.of(Built)}
    steps = trace.of(Step)[before:]
    if not trace.of(Trained) and any(step.address in built and step.rounds for step in steps):
        speaks = any(sign in machine.outline.text for sign in ("seed", "rng"))
        machine.emit(Trained, _head(statement), speaks=speaks)


def _head(statement: ast.stmt) -> ast.AST:
    """What a statement begins with: the part that tells one from another."""
    match statement:
        case ast.If(test=head) | ast.While(test=head) | ast.For(iter=head):
            return head
        case ast.With(items=[item, *_]):
            return item.context_expr
    return statement


def is_main(test: ast.expr) -> bool:
    """Whether a test asks if the file is run as a program."""
    match test:
        case ast.Compare(left=ast.Name(id="__name__")):
            return True
        case ast.BoolOp(op=ast.And(), values=values):
            return any(map(is_main, values))
    return False
