"""One execution of the user's code under the eyes of an observer."""

from __future__ import annotations

import ast
import os
import random
import sys
from typing import TYPE_CHECKING

import torch

from . import taint
from .absent import MadeUp
from .callers import Unit, own_nodes
from .experiments import describe
from .limits import Overtime, time_limit
from .loading import Program, module_name
from .places import Project
from .recorder import Observer, Recorder, Stop
from .scripts import forget_files, quiet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .protocol import Job, Target


class Run:
    """One execution under the eyes of an observer.

    ``numbers`` says that those of tables matter to the question.
    """

    def __init__(
        self, job: Job, program: Program, observer: Observer, numbers: bool = True
    ) -> None:
        self._job = job
        self._program = program
        project = project_of(program)
        self._recorder = Recorder(project, job.target, observer)
        self._made_up = MadeUp(project, numbers)
        self.ended = False
        self.failed = ""
        self.tainted = ""
        self.guessed = ""

    @property
    def reached(self) -> bool:
        """Whether the flagged line ran."""
        return self.has_run(self._program.file, self._job.target.line)

    def has_run(self, file: str, line: int) -> bool:
        """Whether a line of a file ran."""
        return self._recorder.lines.has_run(file, line)

    def missed(self, grounds: Iterable[Target]) -> str:
        """A place that the finding rests on and that did not run."""
        return self._recorder.lines.missed(grounds)

    def entered(self, unit: Unit) -> bool:
        """Whether any line of the code ran."""
        return any(
            self.has_run(unit.file, node.lineno)
            for node in own_nodes(unit)
            if isinstance(node, ast.stmt)
        )

    def go(self, act: Callable[[Program, Recorder], None], seconds: float) -> None:
        """Execute, and note how it came to its end."""
        taint.forget()
        forget_files()
        _seed(self._job.seed)
        dtype = torch.get_default_dtype()
        self._program.open()
        try:
            with time_limit(max(seconds, 0.5)), quiet(), self._made_up(), self._recorder:
                act(self._program, self._recorder)
            self.ended = True
        except Stop:
            pass
        except SystemExit as error:
            self.ended = not error.code
            self.failed = f"it exits with {error.code!r}" if error.code else ""
        except (Exception, Overtime) as error:
            self.failed = describe(error) + self._line_of(error)
        finally:
            self._program.close()
            torch.set_grad_enabled(True)
            torch.set_default_dtype(dtype)
        self.tainted = "; ".join(taint.reasons()[:2])
        self.guessed = "; ".join(taint.guesses()[:2])

    def _line_of(self, error: BaseException) -> str:
        """The user's line at which it failed."""
        found = ""
        trace = error.__traceback__
        while trace is not None:
            file = trace.tb_frame.f_code.co_filename
            if self._recorder.project.owns(file):
                found = f" ({os.path.basename(file)}, line {trace.tb_lineno})"
            trace = trace.tb_next
        return found


def project_of(program: Program) -> Project:
    """What counts as the user's own code."""
    home = module_name(program.file, program.job.root)[1]
    return Project(home, os.path.abspath(program.job.root), os.path.dirname(program.file))


def _seed(seed: int) -> None:
    random.seed(seed)
    torch.default_generator.manual_seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)
