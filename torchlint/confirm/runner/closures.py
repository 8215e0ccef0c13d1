"""Watches closures of optimizers: that they are refused, and what gradients they find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .claims import Raises
from .protocol import SHOWN, Observation
from .refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    from .loading import Program
    from .places import Project
    from .protocol import Job, Target
    from .recorder import Observer


class Evaluations(Refused):
    """Listens to failures, and counts the flagged backwards of one step that find gradients."""

    def __init__(
        self, project: Project, target: Target, predicted: Callable[[BaseException], bool], at: str
    ) -> None:
        super().__init__(project, target, predicted, at)
        self._calls = 0
        self._stepping = False
        self._full = 0
        self._empty = 0

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """A step begins, which may call its closure many times."""
        self._stepping, self._calls = True, 0

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """The step is done."""
        self._stepping = False

    def before_backward(self, roots: tuple[torch.Tensor, ...], at_target: bool) -> None:
        """See whether the closure has cleared what its last call has left."""
        super().before_backward(roots, at_target)
        if not at_target or not self._stepping:
            return
        self._calls += 1
        if self._calls > 1:
            held = [item for _, item in self.held_parameters()]
            full = any(item.grad is not None and bool(item.grad.any()) for item in held)
            self._full += full
            self._empty += not full

    def conclude(self, ended: bool) -> Observation:
        """A failure, or backwards that add to those before in the same step."""
        if self.error is None and self._full > 1 and not self._empty:
            times = f"{self._full} calls of the closure"
            return Observation(SHOWN, evidence=f"{times} find the gradients of the call before")
        return super().conclude(ended)


@dataclass(frozen=True)
class Leaves(Raises):
    """A step refuses its closure, or calls one that leaves its gradients behind."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Listens to failures and looks at backwards."""
        return Evaluations(project, job.target, self.predicts, self.at)
