"""Watches what clipping leaves, and what the next step uses."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.nn import utils

from .claims import Claim
from .protocol import SHOWN, Observation
from .recorder import Observer
from .tally import Answer, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType, TracebackType

    from .loading import Program
    from .places import Project
    from .protocol import Job, Target

_TIMES = 2
_SLACK = 1.01
_SHRUNK = 8
_NAMES = {"clip_grad_norm_": "max_norm", "clip_grad_value_": "clip_value"}


@dataclass
class Clipped:
    """What the last clip at the flagged place was to do, and what size it has left."""

    limit: float
    by_value: bool
    left: float


class LooseClips(Observer):
    """Compares the gradients of the step after each flagged clip with the limit."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._tally = Tally(_TIMES)
        self._last: Clipped | None = None
        self._refused = ""

    def raised(self, frame: FrameType, error: BaseException, traceback: TracebackType) -> None:
        """Where there are no gradients at all, clipping them by value fails."""
        if isinstance(error, RuntimeError) and "nested_tensorlist" in str(error):
            self._refused = "clipping by value fails where there are no gradients at all"

    def watching(self) -> AbstractContextManager[Any]:
        """The functions of torch are wrapped."""
        stack = ExitStack()
        for name, limit in _NAMES.items():
            old = getattr(utils, name)
            stack.enter_context(mock.patch.object(utils, name, self._wrapper(old, limit)))
        return stack

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """See what the step uses."""
        if self._last is not None:
            held = [item for group in optimizer.param_groups for item in group["params"]]
            self._tally.take(self._judge(self._last, _size(held, self._last.by_value)))
            self._last = None

    def has_seen_enough(self) -> bool:
        """Some steps tell."""
        return self._tally.is_full

    def conclude(self, ended: bool) -> Observation:
        """What the steps have used."""
        if self._refused:
            return Observation(SHOWN, evidence=self._refused)
        return self._tally.observation("steps after it")

    def _judge(self, clipped: Clipped, used: float) -> Answer:
        size = "largest entry" if clipped.by_value else "norm"
        if "scale" in self._target.message:
            if used < clipped.left / _SHRUNK:
                return (
                    f"the clip leaves gradients of {size} {clipped.left:.3g}, and the step uses "
                    f"{used:.3g} once they are unscaled"
                )
        elif used > clipped.limit * _SLACK:
            return (
                f"the step uses gradients of {size} {used:.3g}, in spite of the limit "
                f"of {clipped.limit:.3g}"
            )
        return False

    def _wrapper(self, old: Callable[..., Any], name: str) -> Callable[..., Any]:
        def clip(parameters: Any, *args: Any, **kwargs: Any) -> Any:
            if not self._project.is_at(self._target):
                return old(parameters, *args, **kwargs)
            several = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
            result = old(several, *args, **kwargs)
            by_value = name == "clip_value"
            limit = float(args[0] if args else kwargs[name])
            self._last = Clipped(limit, by_value, _size(several, by_value))
            return result

        return clip


def _size(parameters: Iterable[torch.Tensor], by_value: bool) -> float:
    """The norm of all gradients, or their largest entry."""
    sizes = [
        float(one.grad.detach().abs().max() if by_value else one.grad.detach().norm())
        for one in parameters
        if one.grad is not None and one.grad.numel()
    ]
    return max(sizes, default=0.0) if by_value else sum(size**2 for size in sizes) ** 0.5


@dataclass(frozen=True)
class ClipsNothing(Claim):
    """The step after a clip uses other gradients than the clip has left."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at clips and steps."""
        return LooseClips(project, job.target)
