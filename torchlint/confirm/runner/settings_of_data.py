"""Looks at the modules that the flagged place builds: of data, where settings are due."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any
from unittest import mock

from torch import Tensor, nn

from .protocol import SHOWN, Observation
from .refusals import LINE, Refused
from .roles import MODEL
from .ways import Question, investigate

if TYPE_CHECKING:
    from types import FrameType

    from .places import Project
    from .protocol import Job, Target

_MESSAGES = (
    "Boolean value of Tensor with more than one value",
    "positional argument",
    "must be tuple of ints",
)


class Built(Refused):
    """Whether building a module there fails, or gives one that has a tensor for a setting."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__(project, target, _is_refused, LINE)
        self._built: list[nn.Module] = []
        self._said = ""

    def watching(self) -> AbstractContextManager[Any]:
        """Modules are noted as they are built."""
        stack = ExitStack()
        stack.enter_context(super().watching())
        old = nn.Module.__init__

        def noted(module: nn.Module, *args: Any, **kwargs: Any) -> None:
            old(module, *args, **kwargs)
            if self._project.is_at(self._target):
                self._built.append(module)

        stack.enter_context(mock.patch.object(nn.Module, "__init__", noted))
        return stack

    def passed_target(self, frame: FrameType) -> None:
        """Look at what was built."""
        super().passed_target(frame)
        for module in self._built:
            for name, value in vars(module).items():
                if isinstance(value, Tensor) and value.numel() > 1:
                    self._said = f"a module is built, a `{type(module).__name__}` whose `{name}` "
                    self._said += "is the tensor that it should be applied to"
        self._built.clear()

    def has_seen_enough(self) -> bool:
        """One such module tells."""
        return bool(self._said) or super().has_seen_enough()

    def conclude(self, ended: bool) -> Observation:
        """The module, else the exception."""
        if self._said:
            return Observation(SHOWN, evidence=self._said)
        return super().conclude(ended)


def _is_refused(error: BaseException) -> bool:
    return isinstance(error, (RuntimeError, TypeError)) and any(
        message in str(error) for message in _MESSAGES
    )


def built_of_data(job: Job) -> Observation:
    """TL420: a class where a function is meant."""
    question = Question(watch=lambda project, program: Built(project, job.target), matters=MODEL)
    return investigate(job, question)
