"""Watches for parameters that a model gets in a call, and that no optimizer has (TL411)."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

from torch import nn

from .forwards import is_inside, is_nested
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .roles import MODEL
from .ways import Question, investigate

if TYPE_CHECKING:
    from types import FrameType

    from .protocol import Job


class Late(Observer):
    """Compares the parameters of each model before and after the calls that reach the target."""

    def __init__(self) -> None:
        super().__init__()
        self._known: set[int] = set()
        self._alive: list[Any] = []
        self._found: dict[str, nn.Parameter] = {}
        self._reached = False
        self._calls = 0

    def watching(self) -> AbstractContextManager[Any]:
        """Models are looked at as they are called."""
        stack = ExitStack()
        hooks = nn.modules.module
        before: Any = self._before
        after: Any = self._after
        stack.callback(hooks.register_module_forward_pre_hook(before).remove)
        stack.callback(hooks.register_module_forward_hook(after).remove)
        return stack

    def passed_target(self, frame: FrameType) -> None:
        """The flagged line has run, while a model was called or when one was built."""
        self._reached |= is_inside(frame)

    def conclude(self, ended: bool) -> Observation:
        """Whether there are new ones that no optimizer has in the end."""
        if not self._calls:
            return Observation(OPEN, reason="no model was called")
        held = [parameter for _, parameter in self.held_parameters()]
        lost = [
            name
            for name, parameter in self._found.items()
            if not any(parameter is other for other in held)
        ]
        if lost and (ended or self.optimizers):
            listed = ", ".join(f"`{name}`" for name in lost[:3])
            said = f"the first call adds {listed} to the parameters of the model"
            return Observation(
                SHOWN, evidence=said + (", and no optimizer has them" if self.optimizers else "")
            )
        if self._found:
            return Observation(ABSENT, evidence="an optimizer has what the first call has added")
        return Observation(ABSENT, evidence="calls add nothing to the parameters of the model")

    def _before(self, module: nn.Module, args: Any) -> None:
        if not is_nested(sys._getframe(1)):
            self._known |= {id(parameter) for parameter in module.parameters()}
            self._alive.extend(module.parameters())

    def _after(self, module: nn.Module, args: Any, output: Any) -> None:
        if is_nested(sys._getframe(1)):
            return
        self._calls += 1
        for name, parameter in module.named_parameters():
            if self._reached and id(parameter) not in self._known and parameter.requires_grad:
                self._found[name] = parameter


def late_parameters(job: Job) -> Observation:
    """TL411: what is there from the first call on."""
    return investigate(job, Question(watch=lambda project, program: Late(), matters=MODEL))
