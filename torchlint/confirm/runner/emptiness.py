"""Watches what optimizer steps find in the gradients, where they are suspected to find nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .claims import Claim
from .recorder import Observer
from .tally import Tally

if TYPE_CHECKING:
    from types import FrameType

    import torch

    from .loading import Program
    from .places import Project
    from .protocol import Job, Observation, Target

_TIMES = 2


class EmptySteps(Observer):
    """Looks at steps at the flagged place, and at those whose last backward was before it."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._tally = Tally(_TIMES)
        self._steps = 0
        self._passed_since = False

    def after_backward(self, at_target: bool) -> None:
        """What is flagged comes after a backward, or it does not."""
        self._passed_since = False

    def passed_target(self, frame: FrameType) -> None:
        """The flagged line has run, and may have cleared the gradients."""
        self._passed_since = True

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """See what there is to step with."""
        self._steps += 1
        if not self._passed_since and not self._project.is_at(self._target):
            return
        held = [parameter for group in optimizer.param_groups for parameter in group["params"]]
        full = [one for one in held if one.grad is not None and bool(one.grad.any())]
        name = type(optimizer).__name__
        count = f"{len(held)} parameters" if len(held) > 1 else "parameter"
        empty = f"at step {self._steps} the gradients of the {count} that {name} holds are empty"
        self._tally.take(False if full else empty)

    def has_seen_enough(self) -> bool:
        """Some steps tell."""
        return self._tally.is_full

    def conclude(self, ended: bool) -> Observation:
        """What the steps found."""
        return self._tally.observation("steps there")


@dataclass(frozen=True)
class FindsNothing(Claim):
    """The steps at the flagged place, or after it, find no gradients."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at the steps."""
        return EmptySteps(project, job.target)
