"""Watches what is built at the flagged place: optimizers, schedulers and scalers."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.amp.grad_scaler import GradScaler
from torch.optim.lr_scheduler import LRScheduler

from .claims import Claim, Raises
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .refusals import Refused
from .tally import Answer, Tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from .loading import Program
    from .places import Project
    from .protocol import Job, Target

_AT_LEAST = 3
_LARGE = 0.1
_HUGE = 1.0


class BuiltOptimizers(Refused):
    """Knows the optimizers that were built at the flagged place, or refused there."""

    def __init__(
        self, project: Project, target: Target, predicted: Callable[[BaseException], bool], at: str
    ) -> None:
        super().__init__(project, target, predicted, at)
        self._place = (project, target)
        self._built: list[torch.optim.Optimizer] = []

    def watching(self) -> AbstractContextManager[Any]:
        """Optimizers are seen when they are built."""
        stack = ExitStack()
        stack.enter_context(super().watching())
        stack.enter_context(noting(torch.optim.Optimizer, self._place, self._built))
        return stack

    def is_built_here(self, optimizer: torch.optim.Optimizer) -> bool:
        """Whether an optimizer was built at the flagged place."""
        return any(optimizer is built for built in self._built)


def noting(
    owner: Any, place: tuple[Project, Target], made: list[Any]
) -> AbstractContextManager[Any]:
    """Note the objects of a class that are built at a place."""
    old = owner.__init__
    project, target = place

    def build(self: Any, *args: Any, **kwargs: Any) -> None:
        at_target = project.is_at(target)
        old(self, *args, **kwargs)
        if at_target:
            made.append(self)

    return mock.patch.object(owner, "__init__", build)


class Moves(BuiltOptimizers):
    """Looks at how far a step of the flagged optimizer moves the parameters."""

    def __init__(
        self, project: Project, target: Target, predicted: Callable[[BaseException], bool], at: str
    ) -> None:
        super().__init__(project, target, predicted, at)
        self._tally = Tally(_AT_LEAST)
        self._before: list[torch.Tensor] = []

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Keep what the parameters are."""
        if self.is_built_here(optimizer):
            self._before = [item.detach().clone() for item in _held(optimizer)]

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Compare."""
        if self.is_built_here(optimizer):
            pairs = list(zip(_held(optimizer), self._before, strict=False))
            moves = [float((item.detach() - old).abs().max()) for item, old in pairs if old.numel()]
            full = any(item.grad is not None and bool(item.grad.any()) for item, _ in pairs)
            if full:
                self._tally.take(self._judge(max(moves, default=0.0)))

    def conclude(self, ended: bool) -> Observation:
        """It was refused, or moves too far, or not at all."""
        if self.error is not None or not self._built:
            return super().conclude(ended)
        return self._tally.observation("steps of the optimizer")

    def _judge(self, move: float) -> Answer:
        said = self._place[1].message
        if "zero" in said:
            return "a step with gradients leaves every parameter as it is" if move == 0 else False
        if move >= (_LARGE if "unusually" in said else _HUGE):
            return f"a step moves a parameter by {move:.3g}"
        return False


def _held(optimizer: torch.optim.Optimizer) -> list[torch.Tensor]:
    return [item for group in optimizer.param_groups for item in group["params"]]


class ShortLived(Observer):
    """Counts what is built at the flagged place, and how often each is used."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._place = (project, target)
        self._made: list[Any] = []
        self._uses: dict[int, int] = {}

    def watching(self) -> AbstractContextManager[Any]:
        """Optimizers, schedulers and scalers are seen when they are built, and when they step."""
        stack = ExitStack()
        for owner in (torch.optim.Optimizer, LRScheduler, GradScaler):
            stack.enter_context(noting(owner, self._place, self._made))
        for stepping in (LRScheduler, GradScaler):
            wrapper = self._counting(stepping.step)
            stack.enter_context(mock.patch.object(stepping, "step", wrapper))
        return stack

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer is used."""
        self._use(optimizer)

    def has_seen_enough(self) -> bool:
        """Some of them tell."""
        return len(self._made) > 2 * _AT_LEAST

    def conclude(self, ended: bool) -> Observation:
        """Several were built, and none was used more than once."""
        done = self._made if ended else self._made[:-1]
        most = max((self._uses.get(id(one), 0) for one in done), default=0)
        if len(done) >= _AT_LEAST and most == 1:
            name = type(done[0]).__name__
            evidence = f"{len(done)} objects of {name} were built here, and none took a second step"
            return Observation(SHOWN, evidence=evidence)
        if most > 1:
            return Observation(ABSENT, evidence=f"what was built here took {most} steps")
        return Observation(OPEN, reason=f"it was built {len(done)} time(s) only")

    def _use(self, one: Any) -> None:
        self._uses[id(one)] = self._uses.get(id(one), 0) + 1

    def _counting(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def step(one: Any, *args: Any, **kwargs: Any) -> Any:
            if any(one is made for made in self._made):
                self._use(one)
            return old(one, *args, **kwargs)

        return step


@dataclass(frozen=True)
class MovesBadly(Raises):
    """An optimizer is refused, moves the parameters too far, or not at all."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at what is built, and at its steps."""
        return Moves(project, job.target, self.predicts, self.at)


@dataclass(frozen=True)
class LivesShortly(Claim):
    """What is built at the flagged place is used once each time."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Counts what is built and used."""
        return ShortLived(project, job.target)
