"""Failures that are hidden (TL218): one is made, and the program goes on."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from .places import same_file
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .ways import Question, investigate

if TYPE_CHECKING:
    import torch

    from .protocol import Job, Target

_QUIET = (ast.Pass, ast.Continue, ast.Break)


class MadeFailure(RuntimeError):  # noqa: N818  (it is one of the user's program)
    """The failure that is made."""


class Hidden(Observer):
    """Lets the first backward or step within the flagged ``try`` fail."""

    def __init__(self, tree: ast.Module, target: Target) -> None:
        super().__init__()
        self._target = target
        self._lines = _tried(tree, target)
        self._failed = ""
        self._went_on = False

    def before_backward(self, roots: tuple[torch.Tensor, ...], at_target: bool) -> None:
        """A backward may be the one."""
        self._fail("backward")

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """A step may be the one."""
        self._fail("step")

    def _fail(self, what: str) -> None:
        if self._failed:
            self._went_on = True
        elif self._lines is not None and self._is_within():
            self._failed = what
            raise MadeFailure("made to fail")

    def _is_within(self) -> bool:
        assert self._lines is not None
        frame = sys._getframe(2)
        while frame is not None:
            here = same_file(frame.f_code.co_filename, self._target.file)
            if here and frame.f_lineno in self._lines:
                return True
            frame = frame.f_back  # type: ignore[assignment]
        return False

    def has_seen_enough(self) -> bool:
        """Once tells."""
        return self._went_on

    def conclude(self, ended: bool) -> Observation:
        """Whether anything was noticed."""
        if self._lines is None:
            return Observation(ABSENT, evidence="no handler there hides what fails")
        if self._failed and self._went_on:
            return Observation(
                SHOWN, evidence=f"a {self._failed} was made to fail, and the training went on"
            )
        return Observation(OPEN, reason="nothing could be made to fail there")


def _tried(tree: ast.Module, target: Target) -> range | None:
    """The lines whose failures the flagged handler hides; None where there is no such handler."""
    for node in ast.walk(tree):
        for handler in getattr(node, "handlers", ()):
            if handler.lineno == target.line and all(map(_is_quiet, handler.body)):
                body = node.body  # type: ignore[attr-defined]
                return range(body[0].lineno, (body[-1].end_lineno or 0) + 1)
    return None


def _is_quiet(statement: ast.stmt) -> bool:
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, _QUIET)


def swallowed_failure(job: Job) -> Observation:
    """TL218: a failure leaves no trace."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: Hidden(program.tree(), job.target), matters=frozenset()
        ),
    )
