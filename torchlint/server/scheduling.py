"""When what is analysed: one file at a time, soon after it has changed, and only as it is now."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from typing import TYPE_CHECKING, TypeVar

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.server.analysis import Analysis, Job

_Result = TypeVar("_Result")

PATIENCE = 0.3
"""So many seconds after the last keystroke an analysis begins."""

_STACK = 256 * 1024 * 1024
"""The interpreter recurses deeply, and threads have little room for that on some systems."""


def _executor() -> ThreadPoolExecutor:
    """One thread, with room for the recursion; memory is taken only as it is needed."""
    before = threading.stack_size(_STACK)
    try:
        executor = ThreadPoolExecutor(1, "analysis")
        executor.submit(lambda: None).result()
        return executor
    finally:
        threading.stack_size(before)


@dataclass(slots=True)
class Analyst:
    """Keeps an analysis of each document, and makes a new one once that is outdated.

    ``prepare`` gives the job for an address, with everything as it is at that moment.
    """

    prepare: Callable[[str], Job]
    tasks: dict[str, asyncio.Task[Analysis]] = field(default_factory=dict)
    executor: ThreadPoolExecutor = field(default_factory=_executor)
    _jobs: set[threading.Event] = field(default_factory=set)

    def renew(self, uri: str, patience: float = 0) -> None:
        """Analyse a document in so many seconds; whatever is known or under way is outdated."""
        self.forget(uri)
        self.tasks[uri] = asyncio.create_task(self._analyse(uri, patience))

    def forget(self, uri: str) -> None:
        """Let go of a document."""
        task = self.tasks.pop(uri, None)
        if task is not None:
            task.cancel()

    def depending_on(self, path: str) -> list[str]:
        """The documents whose analysis has read a file, or may be about to."""
        return [uri for uri, task in self.tasks.items() if not _is_independent(task, path)]

    async def of(self, uri: str) -> Analysis | None:
        """The analysis of a document as it is now; None where it is not open."""
        while (task := self.tasks.get(uri)) is not None:
            await asyncio.wait([task])
            if not task.cancelled():
                return task.result()
        return None

    def known(self, uri: str) -> Analysis | None:
        """What is known by now of a document as it is."""
        task = self.tasks.get(uri)
        return task.result() if task is not None and _is_done(task) else None

    async def run(self, job: Job, work: Callable[[], _Result]) -> _Result:
        """Have a job's work done in the thread; whoever stops waiting for it stops it."""
        self._jobs.add(job.cancelled)
        try:
            return await asyncio.get_running_loop().run_in_executor(self.executor, work)
        except asyncio.CancelledError:
            job.cancelled.set()
            raise
        finally:
            self._jobs.discard(job.cancelled)

    def close(self) -> None:
        """Stop everything."""
        for cancelled in self._jobs:
            cancelled.set()
        self.executor.shutdown(wait=False, cancel_futures=True)

    async def _analyse(self, uri: str, patience: float) -> Analysis:
        await asyncio.sleep(patience)
        job = self.prepare(uri)
        return await self.run(job, job.run)


def _is_done(task: asyncio.Task[Analysis]) -> bool:
    return task.done() and not task.cancelled()


def _is_independent(task: asyncio.Task[Analysis], path: str) -> bool:
    return _is_done(task) and path not in task.result().read
