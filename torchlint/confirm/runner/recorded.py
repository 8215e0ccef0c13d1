"""Watches what is traced, exported or compiled, and what becomes of decisions by values there."""

from __future__ import annotations

import copy
import inspect
import os
import warnings
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch import nn

from .experiments import shortened
from .places import same_file
from .protocol import OPEN, Observation
from .recorder import Observer
from .roles import MODEL
from .tally import Tally
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

    from .places import Project
    from .protocol import Job, Target
    from .tally import Answer


class Recordings(Observer):
    """Makes each recording that the program makes, and hears what torch says of the place."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._target = target
        self._tally = Tally(1)
        self._busy = False
        self._passes = 0
        self._trace: Any = torch.jit.trace
        self._export: Any = torch.export.export
        self._onnx: Any = torch.onnx.export

    def watching(self) -> AbstractContextManager[Any]:
        """The functions that record are replaced; nothing is compiled but to see how it goes."""
        stack = ExitStack()
        stack.enter_context(mock.patch.object(torch.jit, "trace", self._traced))
        stack.enter_context(mock.patch.object(torch.export, "export", self._exported))
        stack.enter_context(mock.patch.object(torch.onnx, "export", self._to_onnx))
        stack.enter_context(mock.patch.object(torch, "compile", self._compiled))
        return stack

    def passed_target(self, frame: FrameType) -> None:
        """The flagged line ran."""
        self._passes += 1

    def has_seen_enough(self) -> bool:
        """One recording tells."""
        return self._tally.is_full

    def conclude(self, ended: bool) -> Observation:
        """What the recordings come to."""
        if not self._tally.has_answers:
            return Observation(OPEN, reason="nothing was recorded that leads there")
        return self._tally.observation("recordings")

    def _take(self, sentence: str) -> None:
        """An answer: against it speaks only what has been there."""
        answer: Answer = sentence or (False if self._passes else None)
        self._tally.take(answer)
        self._passes = 0

    def _is_there(self, file: str, line: int | None) -> bool:
        inside = line is not None and self._target.line <= line <= self._target.end_line
        return inside and os.path.exists(file) and same_file(file, self._target.file)

    def _traced(self, *args: Any, **kwargs: Any) -> Any:
        said = ""
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            made = self._trace(*args, **{**kwargs, "check_trace": False})
        for warning in heard:
            tracer = warning.category.__name__ == "TracerWarning"
            if tracer and self._is_there(warning.filename, warning.lineno):
                said = said or f"the trace warned: {shortened(str(warning.message), 150)}"
        self._take(said)
        return made

    def _exported(self, *args: Any, **kwargs: Any) -> Any:
        try:
            made = self._export(*args, **kwargs)
        except Exception as error:
            first = shortened(str(error), 120)
            there = self._comes_from_there(error)
            self._tally.take(
                f"the export raised {type(error).__name__}: {first}" if there else None
            )
            raise
        self._take("")
        return made

    def _comes_from_there(self, error: BaseException) -> bool:
        traceback: TracebackType | None = error.__traceback__
        while traceback is not None:
            if self._is_there(traceback.tb_frame.f_code.co_filename, traceback.tb_lineno):
                return True
            traceback = traceback.tb_next
        return False

    def _to_onnx(self, model: Any, args: Any = (), f: Any = None, **kwargs: Any) -> Any:
        """The packages that it needs may not be there; what it begins with is made without."""
        parameter = inspect.signature(self._onnx).parameters.get("dynamo")
        default = parameter.default if parameter is not None else False
        given = args if isinstance(args, tuple) else (args,)
        if kwargs.get("dynamo", default):
            return self._exported(model, given)
        return self._traced(model, given)

    def _compiled(self, model: Any = None, **options: Any) -> Any:
        if model is None:
            return lambda function: self._compiled(function, **options)
        if isinstance(model, nn.Module):
            hook: Any = self._explain
            model.register_forward_pre_hook(hook, with_kwargs=True)
            return model

        def compiled(*args: Any, **kwargs: Any) -> Any:
            self._explain(model, args, kwargs)
            return model(*args, **kwargs)

        return compiled

    def _explain(self, what: Callable[..., Any], args: Any, kwargs: Any) -> None:
        """Ask the compiler where it would end a graph."""
        if self._busy or self._tally.has_answers:
            return
        with mock.patch.object(self, "_busy", True):
            if isinstance(what, nn.Module):
                what = copy.deepcopy(what)
                what._forward_pre_hooks.clear()
            torch._dynamo.reset()
            told = torch._dynamo.explain(what)(*args, **kwargs)
            torch._dynamo.reset()
        for reason in told.break_reasons:
            if any(self._is_there(frame.filename, frame.lineno) for frame in reason.user_stack):
                first = str(reason.reason).partition("\n")[0]
                self._tally.take(f"the compiler ends its graph there: {first}")
                return
        self._passes = 1
        self._take("")


def traced_control_flow(job: Job) -> Observation:
    """TL911: the recorder says that it does not follow the decision, or the compiler that it ends.

    A model may be called with made-up batches, as long as it is the program that records it.
    """
    return investigate(
        job,
        Question(watch=lambda project, program: Recordings(project, job.target), matters=MODEL),
    )
