"""Makes the outlines of a project's files, each once, for all the jobs that look at them."""

from __future__ import annotations

import os
import tokenize
from contextlib import suppress
from typing import TYPE_CHECKING

from torchlint.confirm.runner.callers import project_files
from torchlint.confirm.runner.outlines import kept_at, outline

if TYPE_CHECKING:
    from torchlint.confirm.runner.protocol import Job


class Outlines:
    """Those of one sandbox, in a folder; for a file without one a job makes its own."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._done: set[str] = set()
        self._asked: set[tuple[str, str]] = set()

    def folder_for(self, job: Job) -> str:
        """The folder, with all that the job may look for in it."""
        file, root = job.target.file, os.path.abspath(job.root)
        asked = (os.path.dirname(file), root)
        if asked not in self._asked:
            self._asked.add(asked)
            os.makedirs(self._folder, exist_ok=True)
            for path in (file, *project_files(file, root)):
                if path not in self._done:
                    self._done.add(path)
                    self._make(path)
        return self._folder

    def _make(self, file: str) -> None:
        # The interpreter of the jobs may know a newer Python, and reads what this one cannot.
        with suppress(SyntaxError, ValueError, OSError, RecursionError, MemoryError):
            with tokenize.open(file) as stream:
                made = outline(stream.read())
            with open(kept_at(self._folder, file), "w", encoding="utf-8") as stream:
                stream.write(made.dump())
