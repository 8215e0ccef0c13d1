"""Programs that set no seed (TL217): their generator is the one that the process began with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .ways import Question, investigate

if TYPE_CHECKING:
    import ast

    from .loading import Program
    from .places import Project
    from .protocol import Job, Target


class Seeds(Observer):
    """Looks, at the first step under the flagged place, at what the generator was seeded with."""

    def __init__(self, project: Project, program: Program, job: Job) -> None:
        super().__init__()
        self._project = project
        self._job = job
        self._statement = _around(program.tree(), job.target)
        self._found: int | None = None

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """The first one tells."""
        if self._found is None and self._project.is_under(self._statement):
            self._found = torch.initial_seed()

    def has_seen_enough(self) -> bool:
        """Once tells."""
        return self._found is not None

    def conclude(self, ended: bool) -> Observation:
        """Whether the seed is the process's own."""
        if self._found is None:
            return Observation(OPEN, reason="no optimizer steps under the flagged place")
        if self._found != self._job.seed:
            return Observation(ABSENT, evidence="the program has set a seed when it first steps")
        told = "the first step finds the generator with the seed that the process began with"
        return Observation(SHOWN, evidence=told)


def _around(tree: ast.Module, target: Target) -> Target:
    """The whole statement of the top level that the flagged place belongs to."""
    for node in tree.body:
        last = node.end_lineno or node.lineno
        if node.lineno <= target.line <= last:
            return replace(target, line=node.lineno, column=1, end_line=last, end_column=10_000)
    return target


def unseeded(job: Job) -> Observation:
    """TL217: nothing has set the generator."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: Seeds(project, program, job),
            outside=frozenset({"manual_seed"}),
        ),
    )
