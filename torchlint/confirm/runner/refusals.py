"""Observers of what torch says at the flagged lines: predicted exceptions and warnings."""

from __future__ import annotations

import re
import warnings
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from .descent import Descent
from .experiments import describe, shortened
from .places import is_on_its_lines, stands_at
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from types import FrameType, TracebackType

    from .device import Device
    from .places import Project
    from .protocol import Target

LINE = "line"
UNDER = "under"
BACKWARD = "backward"
PASSES = 20


class Refused(Observer):
    """Looks for a predicted exception at the flagged place, or at a backward that it leads to."""

    def __init__(
        self,
        project: Project,
        target: Target,
        predicted: Callable[[BaseException], bool],
        at: str,
    ) -> None:
        super().__init__()
        self.device: Device | None = None
        self._project = project
        self._target = target
        self._predicted = predicted
        self._at = at
        self._descent = Descent(project, target)
        self._passes = 0
        self._backwards = 0
        self.error: BaseException | None = None

    def watching(self) -> AbstractContextManager[Any]:
        """Where backward is to fail, what is computed from the flagged place is followed."""
        if self.device is not None:
            return self.device
        return self._descent if self._at == BACKWARD else ExitStack()

    def raised(self, frame: FrameType, error: BaseException, traceback: TracebackType) -> None:
        """The flagged lines fail: by themselves, or where that is asked for in what they call."""
        if self._at == BACKWARD or not self._predicted(error) or not self._is_there(frame, error):
            return
        if self._at == UNDER or not self._is_deeper(traceback):
            self.error = self.error or error

    def backward_failed(self, roots: tuple[torch.Tensor, ...], error: Exception) -> None:
        """Backward fails on something that was computed from what the flagged place made."""
        if self._at == BACKWARD and self._predicted(error) and self._descent.has(roots):
            self.error = self.error or error

    def before_backward(self, roots: tuple[torch.Tensor, ...], at_target: bool) -> None:
        """Count the backward passes that are about the flagged place."""
        self._backwards += self._at == BACKWARD and self._descent.has(roots)

    def passed_target(self, frame: FrameType) -> None:
        """The flagged lines ran without failing."""
        self._passes += 1

    def has_seen_enough(self) -> bool:
        """It has failed, or it has not for long."""
        return self.error is not None or self._without() >= PASSES

    def conclude(self, ended: bool) -> Observation:
        """The exception itself is the evidence; a run that ends well speaks against it."""
        if self.error is not None:
            where = "backward" if self._at == BACKWARD else f"line {self._target.line}"
            return Observation(SHOWN, evidence=f"{where} raised {describe(self.error)}")
        if not self._without():
            reached = self._passes and self._at == BACKWARD
            why = "no backward pass comes from it" if reached else "the flagged line did not run"
            return Observation(OPEN, reason=why)
        if ended or self._without() >= PASSES:
            return Observation(
                ABSENT, evidence=f"it ran {self._without()} time(s) and raised nothing"
            )
        return Observation(OPEN, reason="the run was cut before its end")

    def _is_there(self, frame: FrameType, error: BaseException) -> bool:
        """Whether the flagged expression itself fails, or the import that a flagged name is of."""
        if isinstance(error, ImportError):
            return is_on_its_lines(frame, self._target)
        return stands_at(frame, self._target)

    def _without(self) -> int:
        return self._backwards if self._at == BACKWARD else self._passes

    def _is_deeper(self, traceback: TracebackType) -> bool:
        """Whether other code of the user's raised it."""
        inner = traceback.tb_next
        while inner is not None:
            if self._project.owns(inner.tb_frame.f_code.co_filename):
                return True
            inner = inner.tb_next
        return False


class Warned(Observer):
    """Looks for a predicted warning at the flagged place."""

    def __init__(
        self, project: Project, target: Target, message: str, category: type[Warning]
    ) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._message = re.compile(message)
        self._category = category
        self._passes = 0
        self.said = ""

    def watching(self) -> AbstractContextManager[Any]:
        """Every warning is heard, also one that the program has heard before or silences."""
        stack = ExitStack()
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("always")
        for name in ("simplefilter", "filterwarnings"):
            stack.enter_context(mock.patch.object(warnings, name))
        stack.enter_context(mock.patch.object(warnings, "showwarning", self._heard))
        before = torch.is_warn_always_enabled()
        torch.set_warn_always(True)
        stack.callback(torch.set_warn_always, before)
        return stack

    def passed_target(self, frame: FrameType) -> None:
        """The flagged lines ran."""
        self._passes += 1

    def has_seen_enough(self) -> bool:
        """One warning tells."""
        return bool(self.said) or self._passes >= PASSES

    def conclude(self, ended: bool) -> Observation:
        """The warning itself is the evidence."""
        if self.said:
            return Observation(SHOWN, evidence=f"line {self._target.line} warned {self.said}")
        if self._passes and (ended or self._passes >= PASSES):
            return Observation(
                ABSENT, evidence=f"it ran {self._passes} time(s) without the warning"
            )
        return Observation(OPEN, reason="the flagged line did not run to its end")

    def _heard(self, message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        predicted = issubclass(category, self._category) and self._message.search(str(message))
        if predicted and self._project.is_at(self._target):
            self.said = self.said or f"{category.__name__}: {shortened(str(message), 180)}"
