"""Workers: processes forked from this one, which hand back what a unit came to.

A worker has all that was read and outlined, as it was when it was forked. One that is killed loses
nothing: its units are done where they were asked for.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import warnings
from contextlib import contextmanager, suppress
from dataclasses import field
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess
    from types import TracebackType

T = TypeVar("T")

_ENDINGS = frozenset({signal.SIGINT, signal.SIGTERM})

_WAITING = 2
"""So many units are handed to a worker at once, so that it never waits for the next."""

_TOGETHER = 8
"""So many wait at the most for a worker that has what they need in its memory."""

_ENOUGH_FILES = 30
"""With fewer files other processes take longer to start than they save."""


def processes(wanted: int | None, files: int) -> int:
    """How many processes are to work on so many files, if ``wanted`` does not say it.

    It is one where a process cannot safely be forked with all it needs to know in its memory.
    """
    if sys.platform != "linux":
        return 1
    if wanted is not None:
        return wanted
    return len(os.sched_getaffinity(0)) if files >= _ENOUGH_FILES else 1


T_co = TypeVar("T_co", covariant=True)


class Crew(Protocol[T_co]):
    """Whoever does units that are handed over, while it is entered."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def __bool__(self) -> bool:
        """Whether any is left."""

    @property
    def are_busy(self) -> bool:
        """Whether none takes another unit now."""

    def hand(self, number: int) -> None:
        """Hand a unit over."""

    def results(self) -> Iterator[tuple[int, T_co | None]]:
        """What has come back, at least one; None for a unit that nothing comes of there."""


@dataclass(slots=True)
class _Worker:
    process: ForkProcess
    channel: Connection
    units: list[int] = field(default_factory=list)


class Workers(Generic[T]):
    """So many processes, each of which does the ``work`` of the units that it is handed.

    Units of the same ``file`` that follow each other go to the same one, which has parsed it then.
    """

    def __init__(
        self, count: int, work: Callable[[int], T], file: Callable[[int], object] | None = None
    ) -> None:
        self._count = count
        self._work = work
        self._file = file
        self._workers: list[_Worker] = []
        self._last: tuple[_Worker, object] | None = None

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("fork")
        for _ in range(self._count):
            ours, theirs = context.Pipe()
            # A forked process has copies of all ends that this one holds by then.
            held = [*(worker.channel for worker in self._workers), ours]
            process = context.Process(target=_serve, args=(theirs, self._work, held), daemon=True)
            with warnings.catch_warnings(), _unheard():
                # Of this process's threads only one that draws a progress bar may be running.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.channel.close()
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()

    def __bool__(self) -> bool:
        """Whether any is left."""
        return bool(self._workers)

    @property
    def are_busy(self) -> bool:
        """Whether no worker takes another unit now."""
        return all(len(worker.units) >= _WAITING for worker in self._workers)

    def hand(self, number: int) -> None:
        """Hand a unit to the worker that has least to do, if none has its file."""
        worker = self._beside(number) or min(self._workers, key=lambda worker: len(worker.units))
        worker.units.append(number)
        if self._file is not None:
            self._last = worker, self._file(number)
        with suppress(OSError):
            # One that is gone is found out when its answers are read.
            worker.channel.send(number)

    def _beside(self, number: int) -> _Worker | None:
        """The worker that was handed the last unit, if this one is of the same file."""
        if self._file is None or self._last is None:
            return None
        worker, file = self._last
        near = file is self._file(number) and len(worker.units) < _TOGETHER
        return worker if near and worker in self._workers else None

    def all(self, units: int) -> Iterator[tuple[int, T | None]]:
        """The results of so many units, as they come."""
        left = iter(range(units))
        waiting = 0
        while self:
            while not self.are_busy and (number := next(left, None)) is not None:
                self.hand(number)
                waiting += 1
            if not waiting:
                return
            for result in self.results():
                waiting -= 1
                yield result

    def results(self) -> Iterator[tuple[int, T | None]]:
        """What has come back, at least one; None for a unit whose worker was killed."""
        working = {worker.channel: worker for worker in self._workers if worker.units}
        for channel in wait(list(working)):
            worker = working[channel]  # type: ignore[index]
            try:
                number, result = worker.channel.recv()
            except (EOFError, OSError):
                self._workers.remove(worker)
                for lost in worker.units:
                    yield lost, None
            else:
                worker.units.remove(number)
                yield number, result


@contextmanager
def _unheard() -> Iterator[None]:
    """What would end this process waits; a process that is forked meanwhile hears it later.

    One that has just been forked forgets the signals that it gets before it is on its own.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(channel: Connection, work: Callable[[int], object], held: Sequence[Connection]) -> None:
    """Do what is handed over until nobody is there to hand anything over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)
    # The channel ends once nobody holds its other end, however the process that does has ended.
    for end in held:
        end.close()
    while True:
        try:
            number = channel.recv()
            channel.send((number, work(number)))
        except (EOFError, OSError):
            return
