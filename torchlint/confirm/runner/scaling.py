"""Watches scalers of losses: their refusals, and steps that use scaled gradients."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.amp import grad_scaler

from .claims import Raises
from .protocol import OPEN, SHOWN, Observation
from .refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from .loading import Program
    from .places import Project
    from .protocol import Job, Target
    from .recorder import Observer


class Scaling(Refused):
    """Listens to failures of the flagged call, and looks at the flagged steps of optimizers."""

    def __init__(
        self, project: Project, target: Target, predicted: Callable[[BaseException], bool], at: str
    ) -> None:
        super().__init__(project, target, predicted, at)
        self._place = (project, target)
        self._scaled: list[torch.Tensor] = []
        self._scale = 0.0
        self._divided: set[int] = set()
        self._enabled = False
        self._evidence: list[str] = []
        self._clean = 0

    def watching(self) -> AbstractContextManager[Any]:
        """The methods of scalers are wrapped."""
        stack = ExitStack()
        stack.enter_context(super().watching())
        for name, wrapper in (("scale", self._scaling), ("unscale_", self._dividing)):
            old = getattr(grad_scaler.GradScaler, name)
            patched = mock.patch.object(grad_scaler.GradScaler, name, wrapper(old))
            stack.enter_context(patched)
        return stack

    def before_backward(self, roots: tuple[torch.Tensor, ...], at_target: bool) -> None:
        """New gradients are scaled if what they come from is."""
        super().before_backward(roots, at_target)
        self._divided.clear()
        if not any(root is scaled for root in roots for scaled in self._scaled):
            self._scale = 0.0

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """See whether the gradients are still multiplied."""
        project, target = self._place
        if not project.is_at(target):
            return
        if self._scale > 1 and id(optimizer) not in self._divided:
            name = type(optimizer).__name__
            said = f"{name} steps with gradients that are {self._scale:g} times too large"
            self._evidence.append(said)
        else:
            self._clean += 1

    def conclude(self, ended: bool) -> Observation:
        """A failure, or steps that use what is scaled."""
        if self.error is None and self._evidence and not self._clean:
            return Observation(SHOWN, evidence=self._evidence[-1])
        if not self._enabled and self.error is None:
            return Observation(OPEN, reason="no scaler is switched on here")
        if self._evidence and self._clean:
            return Observation(OPEN, reason="steps differ in this")
        return super().conclude(ended)

    def _scaling(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def scale(scaler: Any, outputs: Any) -> Any:
            result = old(scaler, outputs)
            self._enabled = self._enabled or scaler.is_enabled()
            if scaler.is_enabled() and isinstance(result, torch.Tensor):
                self._scaled = [result]
                self._scale = scaler.get_scale()
            return result

        return scale

    def _dividing(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def unscale_(scaler: Any, optimizer: torch.optim.Optimizer) -> None:
            self._enabled = self._enabled or scaler.is_enabled()
            old(scaler, optimizer)
            self._divided.add(id(optimizer))

        return unscale_


@dataclass(frozen=True)
class Misuses(Raises):
    """A scaler refuses a call, or a step goes round it."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Listens to failures and looks at steps."""
        return Scaling(project, job.target, self.predicts, self.at)
