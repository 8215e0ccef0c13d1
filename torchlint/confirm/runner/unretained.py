"""A graph that is retained, and the same program with the graph freed (TL108)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from .protocol import ABSENT, OPEN, SHOWN, Job, Observation
from .recorder import Observer
from .ways import Question, investigate

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from .loading import Program
    from .places import Project
    from .protocol import Target

_ROUNDS = 3
_SECOND = "backward through the graph a second time"


def retained_for_nothing(job: Job) -> Observation:
    """TL108: with the graph freed at the flagged place the program runs on as before."""
    return investigate(
        job, Question(watch=lambda project, program: _Freed(project, job.target, program))
    )


class _Freed(Observer):
    """Has the graph freed where the program asks for it to be retained."""

    def __init__(self, project: Project, target: Target, program: Program) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._asked = 0
        self._unasked = 0
        self._needed = False

    def watching(self) -> AbstractContextManager[Any]:
        """Backward is called without what the flagged call asks for."""
        backward = torch.autograd.backward

        def freeing(
            tensors: Any,
            grad_tensors: Any = None,
            retain_graph: Any = None,
            *rest: Any,
            **more: Any,
        ) -> None:
            if self._project.is_at(self._target):
                self._asked += bool(retain_graph)
                self._unasked += not retain_graph
                retain_graph = None
            try:
                backward(tensors, grad_tensors, retain_graph, *rest, **more)
            except RuntimeError as error:
                self._needed |= _SECOND in str(error)
                raise

        return mock.patch.object(torch.autograd, "backward", freeing)

    def has_seen_enough(self) -> bool:
        """Once it has been needed, there is no more to see."""
        return self._needed

    def conclude(self, ended: bool) -> Observation:
        """Nothing that came later has missed the graph."""
        if self._needed or self._unasked:
            why = "a later backward needs the graph" if self._needed else "nothing is retained here"
            return Observation(ABSENT, evidence=why)
        if self._asked < _ROUNDS and not (ended and self._asked > 1):
            return Observation(OPEN, reason="the flagged backward ran in too few rounds")
        if not ended:
            return Observation(OPEN, reason="the run was cut before its end")
        return Observation(
            SHOWN,
            evidence=f"with the graph freed, {self._asked} rounds ran to the end of the program, "
            "and no backward missed it",
        )
