"""Looks at what becomes of a parameter where it is assigned, on a device that is there for it."""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

from torch import Tensor, nn

from .accelerator import Accelerator
from .aftermath import Aftermath
from .roles import MODEL
from .ways import Question, investigate

if TYPE_CHECKING:
    from .loading import Program
    from .places import Project
    from .protocol import Job, Observation, Target
    from .tally import Answer

_REFUSED = "cannot assign '"


class Assigned(Aftermath):
    """Whether an attribute of a module that is assigned there is one of its parameters."""

    def __init__(self, project: Project, target: Target, program: Program) -> None:
        super().__init__(project, target, _is_refused, _is_lost, program)

    def watching(self) -> AbstractContextManager[Any]:
        """The program finds an accelerator, to which a parameter can be moved."""
        stack = ExitStack()
        stack.enter_context(super().watching())
        stack.enter_context(Accelerator(self._project, self._target))
        return stack


def _is_refused(error: BaseException) -> bool:
    return isinstance(error, TypeError) and _REFUSED in str(error) and " as parameter" in str(error)


def _is_lost(seen: Aftermath) -> Answer:
    match seen.statement:
        case ast.Assign(targets=[ast.Attribute(value=owner, attr=name)]):
            module = seen.value(owner)
        case _:
            return None
    value = getattr(module, name, None)
    if not isinstance(module, nn.Module) or not isinstance(value, Tensor):
        return None
    if any(value is parameter for parameter in module.parameters()):
        return False
    if not value.requires_grad or isinstance(value, nn.Parameter):
        return None
    if value.is_leaf:
        return f"`{name}` asks for gradients, and is not one of `parameters()`"
    return f"`{name}` is the result of an operation, and not one of `parameters()`"


def parameter_lost(job: Job) -> Observation:
    """TL409: a tensor where a parameter is due."""
    question = Question(
        watch=lambda project, program: Assigned(project, job.target, program), matters=MODEL
    )
    return investigate(job, question)
