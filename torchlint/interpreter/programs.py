"""Programs: which statements of a file's top level train something, or load data."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import libcst as cst

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
    statement = machine.region.statements[0]
    if not (isinstance(statement, cst.If) and is_main(statement.test)):
        for each in trace.of(Pass)[passes:]:
            machine.emit(Imported, _head(statement), what=each)
    built = {event.address for event in trace.of(Built)}
    steps = trace.of(Step)[before:]
    if not trace.of(Trained) and any(step.address in built and step.rounds for step in steps):
        speaks = any("seed" in word or "rng" in word for word in machine.outline.words)
        machine.emit(Trained, _head(machine.region.statements[0]), speaks=speaks)


def _head(statement: cst.CSTNode) -> cst.CSTNode:
    """What a statement begins with: the part that tells one from another."""
    match statement:
        case cst.SimpleStatementLine(body=[*_, last]):
            return last
        case cst.If(test=head) | cst.While(test=head) | cst.For(iter=head):
            return head
        case cst.With(items=[item, *_]):
            return item.item
    return statement


def is_main(test: cst.BaseExpression) -> bool:
    """Whether a test asks if the file is run as a program."""
    match test:
        case cst.Comparison(left=cst.Name(value="__name__")):
            return True
    return False
