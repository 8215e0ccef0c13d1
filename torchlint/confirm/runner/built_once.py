"""Looks for modules that are defaults of functions, or attributes of classes."""

from __future__ import annotations

import gc
from contextlib import AbstractContextManager, ExitStack
from types import FunctionType
from typing import TYPE_CHECKING, Any
from unittest import mock

from torch import nn

from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .ways import Question, investigate

if TYPE_CHECKING:
    from types import FrameType

    from .places import Project
    from .protocol import Job, Target


class BuiltOnce(Observer):
    """Notes the modules and parameters that are built at the flagged place, and what holds them."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._built: list[Any] = []
        self._passed = False

    def watching(self) -> AbstractContextManager[Any]:
        """What is built there is noted."""
        stack = ExitStack()
        old, new = nn.Module.__init__, nn.Parameter.__new__

        def noted(module: nn.Module, *args: Any, **kwargs: Any) -> None:
            old(module, *args, **kwargs)
            if self._project.is_at(self._target):
                self._built.append(module)

        def made(cls: type, *args: Any, **kwargs: Any) -> Any:
            parameter: Any = new(cls, *args, **kwargs)
            if self._project.is_at(self._target):
                self._built.append(parameter)
            return parameter

        stack.enter_context(mock.patch.object(nn.Module, "__init__", noted))
        stack.enter_context(mock.patch.object(nn.Parameter, "__new__", made))
        return stack

    def passed_target(self, frame: FrameType) -> None:
        """The flagged line has run."""
        self._passed = True

    def conclude(self, ended: bool) -> Observation:
        """Whether something that was built there is held by a function or a class."""
        for held in gc.get_objects() if self._built else ():
            for value, holder in _shared(held):
                if any(value is built for built in self._built):
                    kind = type(value).__name__
                    return Observation(SHOWN, evidence=f"one `{kind}` is {holder}")
        if self._passed and ended:
            return Observation(ABSENT, evidence="nothing holds it for all")
        return Observation(OPEN, reason="the flagged line did not run")


def _shared(held: Any) -> list[tuple[Any, str]]:
    """The defaults of a function, and the attributes of a class of modules."""
    if isinstance(held, FunctionType):
        defaults = (*(held.__defaults__ or ()), *(held.__kwdefaults__ or {}).values())
        return [(value, f"a default of `{held.__qualname__}`") for value in defaults]
    if isinstance(held, type) and issubclass(held, nn.Module):
        return [
            (value, f"`{held.__name__}.{name}`, and in no object's `parameters()`")
            for name, value in vars(held).items()
        ]
    return []


def mutable_default_module(job: Job) -> Observation:
    """TL417: one module for all."""
    return investigate(job, Question(watch=lambda project, _: BuiltOnce(project, job.target)))
