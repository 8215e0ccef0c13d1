"""TL609: what a spawned worker would meet when it imports the program that has spawned it."""

from __future__ import annotations

import multiprocessing.process
import multiprocessing.spawn
import sys
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

from torch.utils.data import DataLoader

from .copying import compiled
from .experiments import describe
from .loading import Program
from .places import Project, same_file
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .runs import Run, project_of
from .scripts import as_script

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator
    from types import FrameType

    from .protocol import Job
    from .recorder import Recorder

_NAME = "__mp_main__"


class Spawning(Observer):
    """Looks for a loader with workers that is iterated by the flagged statement."""

    def __init__(self, project: Project, job: Job, tree: ast.Module) -> None:
        super().__init__()
        self._project, self._file = project, job.target.file
        line = job.target.line
        around = [each for each in tree.body if each.lineno <= line <= (each.end_lineno or line)]
        self._lines = range(around[0].lineno, (around[0].end_lineno or line) + 1) if around else ()
        self._error = ""
        self._workers = 0

    def watching(self) -> AbstractContextManager[Any]:
        """Loaders say how many workers they were to have, and ask whether these may be begun."""
        return self._asking()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        init, iterate = DataLoader.__init__, DataLoader.__iter__
        given: dict[int, tuple[DataLoader[Any], int]] = {}

        def built(loader: DataLoader[Any], *args: Any, **options: Any) -> None:
            workers = args[5] if len(args) > 5 else options.get("num_workers", 0)
            init(loader, *args, **options)
            given[id(loader)] = loader, workers

        def iterated(loader: DataLoader[Any]) -> Any:
            workers = given.get(id(loader), (loader, 0))[1]
            if workers and not self._error and self._is_there():
                self._error, self._workers = _refusal(), workers
            return iterate(loader)

        with (
            mock.patch.object(DataLoader, "__init__", built),
            mock.patch.object(DataLoader, "__iter__", iterated),
        ):
            yield

    def _is_there(self) -> bool:
        """Whether the file's own code is at the flagged statement."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            if code.co_name == "<module>" and same_file(code.co_filename, self._file):
                return frame.f_lineno in self._lines
            frame = frame.f_back
        return False

    def has_seen_enough(self) -> bool:
        """One refusal tells."""
        return bool(self._error)

    def conclude(self, ended: bool) -> Observation:
        """Whether the import came to its end without beginning anything."""
        if self._error:
            return Observation(
                SHOWN,
                evidence=f"imported as a spawned worker imports it, it begins {self._workers} "
                f"worker(s) itself, which is refused: {self._error}",
            )
        if ended:
            return Observation(ABSENT, evidence="imported as by a worker, it begins none")
        return Observation(OPEN, reason="the import was cut before its end")


def _refusal() -> str:
    """What multiprocessing says to a process that is about to begin another while it imports."""
    current: Any = multiprocessing.process.current_process()
    with mock.patch.object(current, "_inheriting", True, create=True):
        try:
            multiprocessing.spawn._check_not_importing_main()  # type: ignore[attr-defined]
        except RuntimeError as error:
            return " ".join(describe(error).split())
    return ""


def main_guard(job: Job) -> Observation:
    """TL609: the program, under the name by which workers import it, begins workers."""
    program = Program(job)
    observer = Spawning(project_of(program), job, program.tree())
    run = Run(job, program, observer)

    def act(program: Program, recorder: Recorder) -> None:
        code = compiled(program.tree(), job.target.file)
        with as_script(program, job.target.file) as main:
            main.__dict__["__name__"] = _NAME
            exec(code, main.__dict__)

    run.go(act, job.seconds)
    seen = observer.conclude(run.ended)
    if run.tainted or (run.failed and seen.outcome != SHOWN):
        return Observation(OPEN, reason=run.tainted or run.failed)
    return seen
