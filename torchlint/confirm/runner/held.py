"""Watches an optimizer that is built at the flagged place: whether it holds what is trained."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .built import BuiltOptimizers
from .claims import Raises
from .forwards import is_nested
from .protocol import SHOWN, Observation
from .tally import Answer, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .loading import Program
    from .places import Project
    from .protocol import Job, Target
    from .recorder import Observer

_TIMES = 2


class Holdings(BuiltOptimizers):
    """Looks at the steps of optimizers that were built at the flagged place."""

    def __init__(
        self, project: Project, target: Target, predicted: Callable[[BaseException], bool], at: str
    ) -> None:
        super().__init__(project, target, predicted, at)
        self._models: list[nn.Module] = []
        self._tally = Tally(_TIMES)

    def watching(self) -> AbstractContextManager[Any]:
        """Models are seen when they are called."""
        stack = ExitStack()
        stack.enter_context(super().watching())
        hook: Any = self._called
        stack.callback(nn.modules.module.register_module_forward_hook(hook).remove)
        return stack

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """See what it holds, and what has gradients."""
        if self.is_built_here(optimizer):
            self._tally.take(self._judge(optimizer))

    def conclude(self, ended: bool) -> Observation:
        """It was refused, or does not hold what is trained."""
        if self.error is not None:
            return Observation(SHOWN, evidence=f"the optimizer cannot be built: {self.error}")
        if not self._built:
            return super().conclude(ended)
        return self._tally.observation("steps of the optimizer")

    def _judge(self, optimizer: torch.optim.Optimizer) -> Answer:
        held = [item for group in optimizer.param_groups for item in group["params"]]
        name = type(optimizer).__name__
        if not any(item.requires_grad for item in held):
            return f"none of the {len(held)} parameters that {name} holds requires grad"
        missing = [
            label
            for label, item in self._parameters()
            if item.grad is not None and not self._is_held(item)
        ]
        without = not any(item.grad is not None and bool(item.grad.any()) for item in held)
        if missing and (without or "before a layer" in self._place[1].message):
            listed = ", ".join(f"`{label}`" for label in missing[:3])
            return f"{len(missing)} parameters get gradients that no optimizer holds, as {listed}"
        # What is moved nowhere else on this machine is a leaf here still.
        moves = "to an accelerator" in self._place[1].message
        return None if moves and held[0].device.type == "cpu" else False

    def _is_held(self, parameter: torch.Tensor) -> bool:
        return any(parameter is item for _, item in self.held_parameters())

    def _parameters(self) -> Iterator[tuple[str, torch.Tensor]]:
        seen: set[int] = set()
        for model in self._models:
            for name, parameter in model.named_parameters():
                if id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield name, parameter

    def _called(self, module: nn.Module, args: Any, output: Any) -> None:
        if is_nested(sys._getframe(1)):
            return
        if not any(module is known for known in self._models):
            self._models.append(module)


@dataclass(frozen=True)
class Holds(Raises):
    """An optimizer cannot be built, or holds something else than what is trained."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at what is built, and at its steps."""
        return Holdings(project, job.target, self.predicts, self.at)
