"""Watches schedulers of the learning rate: where they are built, how often they step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

from torch.optim.lr_scheduler import ExponentialLR, LRScheduler, ReduceLROnPlateau

from .claims import Claim
from .places import stands_at
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .refusals import Warned

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from types import FrameType, TracebackType

    import torch

    from .loading import Program
    from .places import Project
    from .protocol import Job, Target
    from .recorder import Observer

_AT_LEAST = 3
_FALLEN = 0.01


class Schedules(Warned):
    """Listens to torch's own warning, and looks at the flagged scheduler when the run is over."""

    def __init__(self, project: Project, target: Target) -> None:
        warning = r"Detected call of `lr_scheduler.step\(\)` before"
        super().__init__(project, target, warning, UserWarning)
        self._place = (project, target)
        self._built: list[Any] = []
        self._stepped: list[Any] = []
        self._told: list[Any] = []
        self._steps: dict[int, int] = {}

    def watching(self) -> AbstractContextManager[Any]:
        """Schedulers are seen when they are built, and when they step."""
        stack: Any = super().watching()
        for name, known in (("__init__", self._built), ("step", self._stepped)):
            wrapper = self._wrapper(getattr(LRScheduler, name), known)
            stack.enter_context(mock.patch.object(LRScheduler, name, wrapper))
        wrapper = self._wrapper(ReduceLROnPlateau.step, self._told)
        stack.enter_context(mock.patch.object(ReduceLROnPlateau, "step", wrapper))
        return stack  # type: ignore[no-any-return]

    def raised(self, frame: FrameType, error: BaseException, traceback: TracebackType) -> None:
        """A scheduler that watches a metric refuses a step without it."""
        told = isinstance(error, TypeError) and "'metrics'" in str(error)
        if told and stands_at(frame, self._place[1]):
            self.said = f"TypeError: {error}"

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Count the steps of each optimizer."""
        self._steps[id(optimizer)] = self._steps.get(id(optimizer), 0) + 1

    def has_seen_enough(self) -> bool:
        """How far a schedule has come shows at the end only."""
        return bool(self.said)

    def conclude(self, ended: bool) -> Observation:
        """What was said, or how far the schedule has come."""
        if self.said:
            return super().conclude(ended)
        if self._told:
            return Observation(OPEN, reason="no run tells which end of a metric is the better one")
        if not ended:
            return Observation(OPEN, reason="the run was cut before its end")
        for scheduler in (*self._built, *self._stepped):
            evidence = self._evidence(scheduler)
            if evidence:
                return Observation(SHOWN, evidence=evidence)
        if not self._built and not self._stepped:
            return super().conclude(ended)
        if any(0 < one.last_epoch < getattr(one, "T_max", 0) / 2 for one in self._stepped):
            return Observation(OPEN, reason="the run ends before half of the schedule")
        return Observation(ABSENT, evidence="the schedule is at its place when the run ends")

    def _evidence(self, scheduler: Any) -> str:
        own, most = (
            self._steps.get(id(scheduler.optimizer), 0),
            max(self._steps.values(), default=0),
        )
        gone = scheduler.last_epoch
        if any(scheduler is built for built in self._built):
            if not own and most >= _AT_LEAST:
                return f"its optimizer takes no step, and another one takes {most}"
            if gone == 0 and own >= _AT_LEAST:
                return f"after {own} steps of the optimizer the schedule has not gone on"
            return ""
        whole = getattr(scheduler, "total_steps", None) or getattr(scheduler, "total_size", None)
        if whole is not None and 2 * gone < whole and 2 * gone <= own:
            return f"when the run ends the schedule is at {gone} of {whole:g}"
        length = getattr(scheduler, "T_max", None) or getattr(scheduler, "total_iters", None)
        if length is not None and gone > length:
            return f"when the run ends the schedule is at {gone}, and is laid out for {length}"
        if length is not None and 1 < gone < length and own == gone * length:
            return f"the schedule goes on by one of {length} with every {length} steps"
        rates = zip(scheduler.get_last_lr(), scheduler.base_lrs, strict=True)
        falls = hasattr(scheduler, "step_size") or isinstance(scheduler, ExponentialLR)
        if falls and any(now < _FALLEN * first for now, first in rates):
            return f"after {own} steps the learning rate is {scheduler.get_last_lr()[0]:.3g}"
        return ""

    def _wrapper(self, old: Callable[..., Any], known: list[Any]) -> Callable[..., Any]:
        project, target = self._place

        def wrapper(scheduler: Any, *args: Any, **kwargs: Any) -> Any:
            if project.is_at(target) and not any(scheduler is one for one in known):
                known.append(scheduler)
            return old(scheduler, *args, **kwargs)

        return wrapper


@dataclass(frozen=True)
class Misplaced(Claim):
    """A schedule does not run as it is laid out."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at schedulers."""
        return Schedules(project, job.target)
