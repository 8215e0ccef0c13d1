"""Finds and ends the processes that a job has left, and tells how a job ended."""

from __future__ import annotations

import contextlib
import glob
import os
import signal
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
_PASSES = 20
_PATIENCE = 5.0


def kill_group(pid: int) -> None:
    """Kill the process group that a job's process led."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, KILL)


def kill_tree(pid: int) -> None:
    """Kill a job's process, its group and every descendant, wherever it has put itself."""
    for _ in range(_PASSES):
        below = descendants(pid)
        kill_group(pid)
        _kill(pid)
        for descendant in below:
            _kill(descendant)
        if not below:
            return


def kill_below() -> None:
    """Kill every descendant of this process, and collect those that are its own."""
    for _ in range(_PASSES):
        found = descendants(os.getpid())
        _kill_all(found)
        if not found:
            return


def kill_strays(known: Container[int]) -> None:
    """Kill the orphans of jobs that this process has adopted."""
    for _ in range(_PASSES):
        strays = [pid for pid in _children_of(os.getpid()) if pid not in known]
        _kill_all(strays)
        if not strays:
            return


def _kill_all(pids: list[int]) -> None:
    """Kill processes and collect those that are children, in the order in which they end.

    The first of a namespace ends when the others in it are collected, whoever comes first here.
    """
    for pid in pids:
        _kill(pid)
    left = set(pids)
    until = time.monotonic() + _PATIENCE
    while left and time.monotonic() < until:
        for pid in list(left):
            try:
                ended, _ = os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                ended = pid
            if ended:
                left.discard(pid)
        if left:
            time.sleep(0.002)


def ending(status: int, output: bytes) -> str:
    """Why a process gave no verdict, as a reason for the report."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        said = _SIGNALS.get(number, f"was ended by {signal.Signals(number).name}")
    else:
        said = f"ended by itself with status {os.WEXITSTATUS(status)}"
    lines = output.decode("utf-8", "replace").strip().splitlines()
    last = f" after saying: {lines[-1][:120]}" if lines else ""
    return f"the process {said}{last}"


_SIGNALS = {
    int(getattr(signal, name)): said
    for name, said in {
        "SIGXCPU": "used up its CPU time",
        "SIGXFSZ": "wrote too large a file",
        "SIGSEGV": "crashed (segmentation fault)",
        "SIGABRT": "aborted",
        "SIGKILL": "was killed",
    }.items()
    if hasattr(signal, name)
}


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, KILL)


def descendants(pid: int) -> list[int]:
    """Every process that a process has started, and those that these have."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = _children_of(waiting.pop())
        found += below
        waiting += below
    return found


def waited(pid: int) -> float:
    """The seconds that one of these processes has waited for a processor, of the one most so.

    Where the kernel does not tell there were none.
    """
    most = 0
    for each in descendants(pid):
        with (
            contextlib.suppress(OSError, ValueError, IndexError),
            open(f"/proc/{each}/schedstat", encoding="ascii") as stream,
        ):
            most = max(most, int(stream.read().split()[1]))
    return most / 1e9


def _children_of(pid: int) -> list[int]:
    """Children of a process by ``/proc``; empty where there is none."""
    found: list[int] = []
    for file in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(file, encoding="ascii") as stream:
                found += [int(word) for word in stream.read().split()]
        except OSError:
            continue
    return found
