"""Watches for modules that the flagged place builds whenever a model is called."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch import nn

from .forwards import is_nested
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .roles import MODEL
from .ways import Question, investigate

if TYPE_CHECKING:
    from types import FrameType

    from .places import Project
    from .protocol import Job, Target


class Rebuilt(Observer):
    """Calls each model that comes by the flagged place once more, and counts what is built there.

    What the model keeps of the first call is not built in the second.
    """

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._reached = self._again = False
        self._built: list[nn.Module] = []
        self._repeats = 0

    def watching(self) -> AbstractContextManager[Any]:
        """Modules are noted as they are built, and models called again after each call."""
        stack = ExitStack()
        old = nn.Module.__init__

        def noted(module: nn.Module, *args: Any, **kwargs: Any) -> None:
            old(module, *args, **kwargs)
            if self._again and self._project.is_under(self._target):
                self._built.append(module)

        stack.enter_context(mock.patch.object(nn.Module, "__init__", noted))
        hook: Any = self._called
        handle = nn.modules.module.register_module_forward_hook(hook, with_kwargs=True)
        stack.callback(handle.remove)
        return stack

    def passed_target(self, frame: FrameType) -> None:
        """The flagged line has run."""
        self._reached = True

    def has_seen_enough(self) -> bool:
        """One model that was called twice tells."""
        return self._repeats > 0

    def conclude(self, ended: bool) -> Observation:
        """Whether the second call has built another."""
        if not self._reached or not self._repeats:
            return Observation(OPEN, reason="no model that comes by the flagged line was called")
        if not self._built:
            return Observation(ABSENT, evidence="a second call builds no module there")
        largest = max(self._built, key=_size)
        name, size = type(largest).__name__, _size(largest)
        said = f"two calls of the model build two modules `{name}` there"
        if size:
            said += f", each with {size} new weights"
        elif largest.training:
            said += ", the second in training mode though the model is in evaluation mode"
        return Observation(SHOWN, evidence=said)

    def _called(self, module: nn.Module, args: Any, kwargs: Any, output: Any) -> None:
        if self._again or not self._reached or is_nested(sys._getframe(1)):
            return
        self._again = True
        modes = [(part, part.training) for part in module.modules()]
        try:
            module.eval()
            with torch.no_grad(), torch.random.fork_rng():
                module(*args, **kwargs)
            self._repeats += 1
        finally:
            self._again = False
            for part, mode in modes:
                part.training = mode


def _size(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


def module_created_in_forward(job: Job) -> Observation:
    """TL408: layers that live for one call."""
    question = Question(watch=lambda project, program: Rebuilt(project, job.target), matters=MODEL)
    return investigate(job, question)
