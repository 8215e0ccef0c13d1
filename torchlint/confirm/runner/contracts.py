"""TL109: what autograd says of a custom function, and what its forward does to its inputs."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.autograd.function import FunctionCtx

from .claims import Claim
from .lost import Writes
from .protocol import ABSENT, SHOWN, Observation
from .refusals import LINE, Refused

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from types import FrameType

    from .loading import Program
    from .places import Project
    from .protocol import Job
    from .recorder import Observer

_COUNT = "returned an incorrect number of gradients"
_CALLED = "Legacy autograd function"


class Contract(Refused):
    """Listens to what autograd says of the flagged class, and follows writes into inputs."""

    def __init__(self, job: Job, project: Project) -> None:
        super().__init__(project, job.target, lambda error: _CALLED in str(error), LINE)
        self._node = f"function {job.scope.rpartition('.')[0].rpartition('.')[2]}Backward "
        self._writes = Writes(project, job.target)
        self._changed: dict[int, str] = {}
        self._marked: set[int] = set()

    def watching(self) -> AbstractContextManager[Any]:
        """Writes, and what is marked as dirty, whenever that is done."""
        stack = ExitStack()
        stack.enter_context(self._writes)
        mark = FunctionCtx.mark_dirty

        def marking(context: Any, *tensors: torch.Tensor) -> None:
            self._marked |= {item.untyped_storage()._cdata for item in tensors}
            mark(context, *tensors)

        stack.enter_context(mock.patch.object(FunctionCtx, "mark_dirty", marking))
        return stack

    def backward_failed(self, roots: tuple[torch.Tensor, ...], error: Exception) -> None:
        """Autograd counts the gradients."""
        if _COUNT in str(error) and self._node in str(error):
            self.error = self.error or error

    def passed_target(self, frame: FrameType) -> None:
        """Which arguments of the function were written into."""
        super().passed_target(frame)
        written = {item.untyped_storage()._cdata for item in self._writes.written}
        self._writes.written.clear()
        if frame.f_code.co_name != "forward":
            return
        for name in frame.f_code.co_varnames[: frame.f_code.co_argcount]:
            value = frame.f_locals.get(name)
            if isinstance(value, torch.Tensor) and value.untyped_storage()._cdata in written:
                self._changed[value.untyped_storage()._cdata] = name

    def conclude(self, ended: bool) -> Observation:
        """The exception, or an input that was changed and not marked."""
        if self.error is not None or not self._changed:
            return super().conclude(ended)
        for memory, name in self._changed.items():
            if memory not in self._marked:
                evidence = f"forward wrote into the memory of its input `{name}`, unmarked"
                return Observation(SHOWN, evidence=evidence)
        return Observation(ABSENT, evidence="what forward writes into is marked as dirty")


class _Kept(Claim):
    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at the class."""
        return Contract(job, project)


custom_function_contract = _Kept()
