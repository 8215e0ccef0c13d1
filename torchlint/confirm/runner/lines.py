"""Which lines of the user's project ran, and when the flagged ones were passed or failed."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from .places import Project, same_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType, TracebackType

    from .protocol import Target


class LineLog:
    """Traces the frames of the user's files, and no others."""

    def __init__(
        self,
        project: Project,
        target: Target,
        passed: Callable[[FrameType], None],
        raised: Callable[[FrameType, BaseException, TracebackType], None] = lambda *_: None,
        reached: Callable[[FrameType], None] | None = None,
    ) -> None:
        self._project = project
        self._target = target
        self._passed = passed
        self._raised = raised
        self._reached = reached
        self._inside: set[int] = set()
        self._foreign: set[str] = set()
        self.ran: dict[str, set[int]] = defaultdict(set)

    def __enter__(self) -> LineLog:
        self._before = sys.gettrace()
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def has_run(self, file: str, line: int) -> bool:
        """Whether a line of a file was executed."""
        return line in self.ran[os.path.realpath(file)]

    def has_reached(self, place: Target) -> bool:
        """Whether any line of a stretch of a file was executed."""
        return any(self.has_run(place.file, line) for line in range(place.line, place.end_line + 1))

    def missed(self, grounds: Iterable[Target]) -> str:
        """The first place that a finding rests on and that did not run, as a reason; or nothing."""
        for place in grounds:
            if not self.has_reached(place):
                where = f"line {place.line} of {os.path.basename(place.file)}"
                return f"{where}, on which the finding rests, was not reached"
        return ""

    def _called(self, frame: FrameType, event: str, argument: object) -> Any:
        # Asking a frame for its code raises an event, and most calls are those of libraries.
        home = dict.get(frame.f_globals, "__file__")
        if type(home) is str and home in self._foreign:
            return None
        file = frame.f_code.co_filename
        if not self._project.owns(file):
            if home == file:
                self._foreign.add(file)
            return None
        log = self.ran[os.path.realpath(file)]
        if not same_file(file, self._target.file):
            return _logging(log)
        return self._watching(log)

    def _watching(self, log: set[int]) -> Callable[[FrameType, str, object], Any]:
        """A tracer that also tells when a frame has been through the flagged lines."""
        first, last = self._target.line, self._target.end_line

        def trace(frame: FrameType, event: str, argument: object) -> Any:
            line = frame.f_lineno
            if event == "exception" and first <= line <= last:
                self._fail(frame, argument)
                return trace
            here = event == "line" and first <= line <= last
            again = here and line == first
            if id(frame) in self._inside and (again or not here):
                self._inside.discard(id(frame))
                self._passed(frame)
            if event == "line":
                log.add(line)
                if self._reached is not None:
                    self._reached(frame)
                if here:
                    self._inside.add(id(frame))
            return trace

        return trace

    def _fail(self, frame: FrameType, argument: Any) -> None:
        """What ends an iterator is no failure; a line that failed was not passed."""
        kind, error, traceback = argument
        if not issubclass(kind, (StopIteration, StopAsyncIteration, GeneratorExit)):
            self._inside.discard(id(frame))
            self._raised(frame, error, traceback)


def _logging(log: set[int]) -> Callable[[FrameType, str, object], Any]:
    def trace(frame: FrameType, event: str, argument: object) -> Any:
        log.add(frame.f_lineno)
        return trace

    return trace
