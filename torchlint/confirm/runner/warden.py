"""Stands between the server and a job: the process that starts it, watches it and ends it.

It has the job's surroundings made first. What a job may use in all, with every process that it has
started, no limit of the kernel's says for an ordinary user, and so the warden counts.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import kernel, namespaces
from .isolation import DISK, MEBIBYTE, PROCESSES
from .processes import KILL, descendants, ending, kill_below

if TYPE_CHECKING:
    from collections.abc import Callable

    from .isolation import Limits
    from .namespaces import Surroundings

_PAUSE = 0.05
_FAILED = 70
_OWN_PROC = b"o"
LIMITS = (f"processes {PROCESSES}", f"disk {DISK // MEBIBYTE} MiB")


@dataclass(frozen=True)
class Fate:
    """How a job ended: the status of its process, and why it was ended if it was."""

    status: int
    reason: str = ""

    def dump(self) -> bytes:
        """As bytes."""
        return json.dumps([self.status, self.reason]).encode()

    @classmethod
    def parse(cls, data: bytes) -> Fate | None:
        """The fate of such bytes, None where a warden came to nothing itself."""
        try:
            return cls(*json.loads(data))
        except (ValueError, TypeError):
            return None

    def told(self, output: bytes) -> str:
        """Why there is no verdict, as a reason for the report."""
        return self.reason or ending(self.status, output)


def live(scratch: str, limits: Limits, job: Callable[[Surroundings], None], fate: int) -> None:
    """The warden's life: ``job`` is what its child does; ``fate`` hears how that ended."""
    os.setsid()
    kernel.adopt_orphans()
    kernel.die_with_parent(KILL)
    before = _memory_of(os.getpid())
    around = namespaces.leave(scratch, DISK)
    first, alone = _first_process() if around.processes else (0, False)
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            job(around)
        except BaseException:
            traceback.print_exc()  # into the output, of which the last line is told
            os._exit(_FAILED)
        finally:
            os._exit(0)
    filled = [scratch, *([namespaces.SHARED_MEMORY] if around.disk else [])]
    watch = Watch(child, first, alone, before, filled, limits)
    os.write(fate, watch.until_end().dump())
    watch.end()


def _first_process() -> tuple[int, bool]:
    """Begin the namespace of processes, in which all end when the first one does.

    Also says whether ``/proc`` tells of that namespace now.
    """
    ready, said = os.pipe()
    pid = os.fork()
    if pid:
        os.close(said)
        alone = os.read(ready, 1) == _OWN_PROC
        os.close(ready)
        return pid, alone
    try:
        kernel.die_with_parent(KILL)
        os.setsid()
        os.write(said, _OWN_PROC if namespaces.show_own_processes() else b"-")
        os.closerange(0, 4096)
        while True:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(-1, 0)
            time.sleep(_PAUSE)
    finally:
        os._exit(0)


class Watch:
    """What a job uses, from its beginning to its end.

    ``alone`` says that ``/proc`` tells of its processes and of no others, ``before`` how much
    memory a process has that has done nothing yet, ``filled`` which folders are the job's own.
    """

    def __init__(
        self, child: int, first: int, alone: bool, before: int, filled: list[str], limits: Limits
    ) -> None:
        self._child, self._first, self._alone = child, first, alone
        self._before, self._filled, self._limits = before, filled, limits

    def until_end(self) -> Fate:
        """Wait for the job, and end it where it uses too much."""
        pause = 0.005
        while True:
            pid, status = os.waitpid(self._child, os.WNOHANG)
            if pid:
                self._child = 0
                return Fate(status)
            reason = self._excess()
            if reason:
                return Fate(0, reason)
            time.sleep(pause)
            pause = min(pause * 2, _PAUSE)

    def end(self) -> None:
        """Have nothing left of the job; with the first of a namespace all of it ends."""
        for pid in filter(None, (self._first, self._child)):
            os.kill(pid, KILL)
        for pid in filter(None, (self._child, self._first)):
            os.waitpid(pid, 0)
        if not self._alone:
            kill_below()

    def _excess(self) -> str:
        """What there is too much of, empty where all is within limits."""
        processes = self._processes()
        if len(processes) > PROCESSES:
            return f"stopped after starting more than {PROCESSES} processes"
        memory = sum(max(0, _memory_of(pid) - self._before) for pid in processes)
        if memory > self._limits.memory:
            most = self._limits.memory // MEBIBYTE
            return f"stopped after using more than {most} MiB of memory"
        if sum(map(_size, self._filled)) > DISK:
            return f"stopped after writing more than {DISK // MEBIBYTE} MiB"
        return ""

    def _processes(self) -> list[int]:
        """All that the job has started, and itself, by the numbers that ``/proc`` has for them."""
        if self._alone:
            return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]
        return [pid for pid in descendants(os.getpid()) if pid != self._first]


def _memory_of(pid: int) -> int:
    """Bytes of memory that a process has written to."""
    kilobytes = 0
    with (
        contextlib.suppress(OSError, ValueError),
        open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as stream,
    ):
        for line in stream:
            if line.startswith(("RssAnon:", "RssShmem:")):
                kilobytes += int(line.split()[1])
    return kilobytes * 1024


def _size(of: str) -> int:
    """Bytes that the files of a folder take."""
    total = 0
    for folder, _, files in os.walk(of):
        for name in files:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(folder, name)).st_blocks * 512
    return total
