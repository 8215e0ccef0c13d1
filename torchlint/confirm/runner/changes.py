"""Changes in place watched over a whole program: its script, or the function that trains.

The same three passes as for a module: torch refuses; the log says which line changed what backward
needs; with copies of what that line changed, backward runs.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from .protocol import ABSENT, OPEN, SHOWN, Job, Observation
from .recorder import Observer
from .roles import MODEL
from .versions import KeptLog, MutationLog, OverwrittenError
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Container

    from .loading import Program
    from .places import Project
    from .versions import Overwritten

REFUSAL = re.compile(
    r"modified by an inplace operation: \[.*?\].*?(?=\. Hint|; Hint| Hint|$)", re.DOTALL
)
_BACKWARDS = 3


def watch_program(job: Job) -> Observation:
    """Whether the program's backward fails for what the flagged line changed."""
    job = replace(job, seconds=job.seconds / 3)
    plain = _Pass(job)
    seen = plain.run()
    if seen.outcome != SHOWN:
        return seen
    watched = _Pass(job, hooks=True)
    watched.run()
    ours = [item for item in watched.overwritten if item.flagged]
    if not ours:
        return Observation(OPEN, reason="backward fails, but not for a change at the flagged place")
    repaired = _Pass(job, hooks=True, forgiven={item.index for item in ours}, strict=True)
    if repaired.run().outcome == SHOWN or not repaired.ran_through:
        return Observation(OPEN, reason="backward fails without the change as well")
    first = ours[0] is watched.overwritten[0]
    return Observation(SHOWN, evidence=evidence(job, str(plain.error), ours[0], first))


def evidence(job: Job, message: str, ours: Overwritten, own: bool) -> str:
    """What torch said, what was changed, and by which line.

    ``own`` says that torch's message is about this change, and not about another before it.
    """
    by = next(item for item in ours.by if item.flagged)
    match = REFUSAL.search(message)
    if own and match is not None:
        said = f"backward raised RuntimeError: {match.group(0).strip()}"
    else:
        said = (
            f"a tensor {list(ours.shape)} that backward needs is at version {ours.found}; "
            f"expected version {ours.expected}"
        )
    line = job.target.line
    return f"{said}; {by.operation} on line {line} changed it, and without that backward runs"


class _Pass:
    """One run of the program, in the way that leads furthest."""

    def __init__(
        self, job: Job, hooks: bool = False, forgiven: Container[int] = (), strict: bool = False
    ) -> None:
        self._job = job
        self._hooks = hooks
        self._forgiven = forgiven
        self._strict = strict
        self._observer: _ChangeObserver | None = None

    def run(self) -> Observation:
        """Shown where backward was refused, or where with hooks it would have been."""
        return investigate(self._job, Question(watch=self._watch, matters=MODEL))

    def _watch(self, project: Project, program: Program) -> _ChangeObserver:
        log = MutationLog(project, self._job.target)
        kept = KeptLog(log, self._forgiven, self._strict) if self._hooks else None
        self._observer = _ChangeObserver(log, kept)
        return self._observer

    @property
    def error(self) -> BaseException | None:
        """What backward raised."""
        return self._observer.error if self._observer is not None else None

    @property
    def overwritten(self) -> list[Overwritten]:
        """What backward needed and found changed."""
        seen = self._observer
        return seen.kept.overwritten if seen is not None and seen.kept is not None else []

    @property
    def ran_through(self) -> bool:
        """Whether backward came to its end, or stopped only for the change of another line."""
        seen = self._observer
        others = isinstance(self.error, OverwrittenError)
        return seen is not None and (others or seen.backwards > 0)


class _ChangeObserver(Observer):
    """Watches what is changed, and how backward fares."""

    def __init__(self, log: MutationLog, kept: KeptLog | None) -> None:
        super().__init__()
        self.log = log
        self.kept = kept
        self.error: BaseException | None = None
        self.backwards = 0

    def watching(self) -> AbstractContextManager[Any]:
        """The log of changes, and of what is kept where that is asked for."""
        stack = ExitStack()
        backward = torch.autograd.backward

        def noting(*args: Any, **kwargs: Any) -> None:
            try:
                backward(*args, **kwargs)
            except RuntimeError as error:
                self.error = self.error or error
                raise

        stack.enter_context(mock.patch.object(torch.autograd, "backward", noting))
        if self.kept is not None:
            stack.enter_context(self.kept.hooks)
        stack.enter_context(self.log)
        return stack

    def after_backward(self, at_target: bool) -> None:
        """Count the passes that came through."""
        self.backwards += 1

    def has_seen_enough(self) -> bool:
        """A few passes show what later ones would."""
        return self.backwards >= _BACKWARDS

    def conclude(self, ended: bool) -> Observation:
        """Shown where backward was refused; refuted where it ran over a change of the line."""
        refused = self.error is not None and REFUSAL.search(str(self.error)) is not None
        if refused or (self.kept is not None and any(o.flagged for o in self.kept.overwritten)):
            return Observation(SHOWN)
        if self.backwards and any(item.flagged and item.grad_mode for item in self.log.mutations):
            return Observation(ABSENT, evidence="the line changed a tensor, and backward ran")
        return Observation(OPEN, reason="the flagged line changed nothing before a backward pass")
