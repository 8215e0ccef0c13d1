"""Experiments on the workers of a cluster: each gets the project's code once, and runs jobs of it.

A job names files where they lie here. A worker has a copy of them in a folder of its own: its jobs
are told of that, and what they say is told of here.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from torchlint.cluster.errands import Errands
from torchlint.confirm.plan import import_root
from torchlint.confirm.sandbox import Sandbox, SandboxError
from torchlint.confirm.scratch import Folder
from torchlint.frozen import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Executor

    from torchlint.confirm.runner.protocol import Job, Observation, Target
    from torchlint.settings import ConfirmSettings


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a worker needs: the texts of files, by their paths below ``folder``, and how to run."""

    folder: str
    texts: Mapping[str, str]
    python: str
    seconds: float


def packed(files: Mapping[Path, str], settings: ConfirmSettings) -> Parcel:
    """A parcel of files, with those that make packages of the folders which they lie in."""
    known = {file.resolve(): text for file, text in files.items()}
    for file in list(known):
        for above in file.parents:
            init = above / "__init__.py"
            if init in known or not init.is_file():
                break
            known[init] = init.read_text("utf-8", "replace")
    folder = os.path.commonpath([import_root(file) for file in known])
    texts = {os.path.relpath(file, folder): text for file, text in known.items()}
    return Parcel(folder, texts, settings.python, settings.seconds)


class _Workshop:
    """A parcel unpacked, and a sandbox for what is in it."""

    def __init__(self, parcel: Parcel) -> None:
        self._far = parcel.folder
        self._scratch = Folder()
        self._near = os.path.join(os.path.realpath(self._scratch.path), "project")
        for path, text in parcel.texts.items():
            file = Path(self._near, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8", newline="")
        python = parcel.python if shutil.which(parcel.python) else sys.executable
        self._sandbox = Sandbox(python, parcel.seconds, jobs=1)
        try:
            self._sandbox.__enter__()
        except SandboxError:
            self._scratch.remove()
            raise

    def close(self) -> None:
        self._sandbox.__exit__(None, None, None)
        self._scratch.remove()

    def observed(self, job: Job) -> Observation:
        """What a job comes to."""
        self._sandbox.submit(self._here(job))
        ((_, seen),) = self._sandbox.observations()
        return replace(seen, evidence=self._there(seen.evidence), reason=self._there(seen.reason))

    def _here(self, job: Job) -> Job:
        """The job as it is to be done here."""
        return replace(
            job,
            target=self._target(job.target),
            because=tuple(map(self._target, job.because)),
            root=self._path(job.root),
            texts={self._path(file): text for file, text in job.texts.items()},
        )

    def _target(self, target: Target) -> Target:
        return replace(target, file=self._path(target.file))

    def _path(self, path: str) -> str:
        return os.path.normpath(os.path.join(self._near, os.path.relpath(path, self._far)))

    def _there(self, said: str) -> str:
        return said.replace(self._near, self._far)


_workshops: list[tuple[Parcel, _Workshop]] = []
"""The workshop of this process, a worker: for the parcel that it was sent last."""

_at_work = threading.Lock()
"""A workshop is for one thread at a time."""


def observed(parcel: Parcel, job: Job) -> Observation:
    """What a job comes to: what a worker is asked. SandboxError where it cannot run any."""
    with _at_work:
        if not _workshops or _workshops[0][0] is not parcel:
            _close()
            _workshops.append((parcel, _Workshop(parcel)))
        return _workshops[0][1].observed(job)


@atexit.register
def _close() -> None:
    while _workshops:
        _workshops.pop()[1].close()


class SandboxOfCluster:
    """Jobs on their way to workers of a cluster, and what they come to there.

    What comes to nothing there is done here, in the sandbox that ``here`` makes.
    """

    def __init__(
        self,
        executor: Executor,
        sent: Any,
        width: Callable[[], int],
        here: Callable[[], Sandbox],
    ) -> None:
        self._errands: Errands[Observation] = Errands(executor, width, fatal=SandboxError)
        self._sent, self._here = sent, here
        self._jobs: list[Job] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._errands.cancel()

    def submit(self, job: Job) -> int:
        """Hand a job in; the number comes back with its observation."""
        number = len(self._jobs)
        self._jobs.append(job)
        self._errands.hand(number, observed, self._sent, job)
        return number

    def observations(self) -> Iterator[tuple[int, Observation]]:
        """The observations of the jobs handed in, as they end; more may be handed in meanwhile."""
        with ExitStack() as stack:
            sandbox = None
            while self._errands:
                for number, seen in self._errands.results():
                    if seen is not None:
                        yield number, seen
                        continue
                    sandbox = sandbox or stack.enter_context(self._here())
                    sandbox.submit(self._jobs[number])
                    yield from ((number, each) for _, each in sandbox.observations())
