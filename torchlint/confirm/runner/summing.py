"""Watches losses of torch and the backwards from them, from step to step."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.amp.grad_scaler import GradScaler
from torch.nn import functional

from .claims import Claim
from .recorder import Observer
from .tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from .loading import Program
    from .places import Project
    from .protocol import Job, Observation, Target

_TIMES = 2
_NAMES = tuple(
    name for name in dir(functional) if "loss" in name or "cross_entropy" in name or "div" in name
)


class Sums(Observer):
    """Counts the flagged backwards of each step, and compares their roots with the losses."""

    def __init__(self, target: Target) -> None:
        super().__init__()
        self._losses: list[float] = []
        self._scale = 1.0
        self._whole = 0
        self._divided = 0
        self._tally = Tally(_TIMES)

    def watching(self) -> AbstractContextManager[Any]:
        """Losses are seen when they are computed, and when a scaler multiplies them."""
        stack = ExitStack()
        for name in _NAMES:
            old = getattr(functional, name)
            if callable(old):
                stack.enter_context(mock.patch.object(functional, name, self._computing(old)))
        wrapper = self._scaling(GradScaler.scale)
        stack.enter_context(mock.patch.object(GradScaler, "scale", wrapper))
        return stack

    def before_backward(self, roots: tuple[torch.Tensor, ...], at_target: bool) -> None:
        """Compare what it starts at with the losses since the last backward."""
        if at_target and self._losses and roots[0].numel() == 1:
            total, root = sum(self._losses), float(roots[0].detach()) / self._scale
            whole = abs(root - total) <= 1e-3 * max(abs(total), 1e-6)
            self._whole += whole
            self._divided += not whole
        self._losses, self._scale = [], 1.0

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """See how many were summed."""
        if self._divided:
            self._tally.take(False)
        elif self._whole > 1:
            sum_of = f"the gradients of {self._whole} batches, each of a whole loss"
            self._tally.take(f"a step uses the sum of {sum_of}")
        self._whole = self._divided = 0

    def has_seen_enough(self) -> bool:
        """Some steps tell."""
        return self._tally.is_full

    def conclude(self, ended: bool) -> Observation:
        """What the steps have used."""
        return self._tally.observation("steps")

    def _computing(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def compute(*args: Any, **kwargs: Any) -> Any:
            before = len(self._losses)
            result = old(*args, **kwargs)
            if isinstance(result, torch.Tensor) and result.numel() == 1:
                # One loss may be computed by way of another.
                self._losses[before:] = [float(result.detach())]
            return result

        return compute

    def _scaling(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def scale(scaler: Any, outputs: Any) -> Any:
            result = old(scaler, outputs)
            self._scale = scaler.get_scale()
            return result

        return scale


@dataclass(frozen=True)
class SumsWhole(Claim):
    """A step uses the sum of the gradients of several undivided losses."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at losses, backwards and steps."""
        return Sums(job.target)
