"""Looks for forwards that run without the hooks of their modules."""

from __future__ import annotations

import ast
import sys
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

from torch import nn

from .aftermath import Aftermath
from .forwards import is_inside
from .roles import MODEL
from .ways import Question, investigate

if TYPE_CHECKING:
    from .loading import Program
    from .places import Project
    from .protocol import Job, Observation, Target
    from .tally import Answer


class Unhooked(Aftermath):
    """Notes whose hooks run at the flagged place, and whose forward the statement calls."""

    def __init__(self, project: Project, target: Target, program: Program) -> None:
        super().__init__(project, target, lambda error: False, _passed_by, program)
        self.hooked: list[nn.Module] = []

    def watching(self) -> AbstractContextManager[Any]:
        """A hook on every module."""
        stack = ExitStack()
        stack.enter_context(super().watching())
        hook: Any = self._called
        handle = nn.modules.module.register_module_forward_pre_hook(hook)
        stack.callback(handle.remove)
        return stack

    def _called(self, module: nn.Module, arguments: Any) -> None:
        if is_inside(sys._getframe(1)) and self._project.is_under(self._target):
            self.hooked.append(module)


def _passed_by(seen: Aftermath) -> Answer:
    assert isinstance(seen, Unhooked)
    hooked, seen.hooked = seen.hooked, []
    answer: Answer = None
    for node in ast.walk(seen.statement or ast.Pass()):
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="forward")):
                module = seen.value(owner)
                if not isinstance(module, nn.Module):
                    continue
                if not any(module is other for other in hooked):
                    name = type(module).__name__
                    return f"the forward of `{name}` ran, and a hook on it did not"
                answer = False
    return answer


def unhooked(job: Job) -> Observation:
    """TL404: a forward that is called by its name."""
    question = Question(
        watch=lambda project, program: Unhooked(project, job.target, program),
        matters=MODEL,
        anywhere=True,
    )
    return investigate(job, question)
