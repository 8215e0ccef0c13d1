"""Waits in the user's interpreter with torch imported, and forks a shut-in child for every job.

A fork costs some thirty milliseconds where a fresh process costs seconds. The server itself
computes nothing: a parent that has run a multi-threaded operation leaves children that hang.

Requests come as lines of JSON on what was standard input, replies leave on what was standard
output; both are moved away from descriptors 0 to 2 before anything else happens.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import selectors
import shutil
import signal
import sys
import tempfile
import time
from collections import deque
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from . import fresh, guard, kernel, processes, reachable, warden
from .experiments import experiment
from .guard import Guard
from .isolation import ONE_THREAD, shut_in
from .protocol import OPEN, Observation
from .requests import Request, denounce, limited, observation, report, verdict
from .warden import Fate

if TYPE_CHECKING:
    from .namespaces import Surroundings

# From here on it pays to make forks quicker.
_MANY = 16
_KEPT_OUTPUT = 4096
_OWN_FOLDER = "torchlint-sandbox-"
_MOST_VERDICT = 2**20
_PATIENCE = 0.8


@dataclass
class Child:
    """A running job as the server sees it."""

    request: Request
    pid: int
    verdict_end: int
    output_end: int
    fate_end: int
    scratch: str
    began: float = field(default_factory=time.monotonic)
    verdict: bytearray = field(default_factory=bytearray)
    output: bytes = b""
    waited: float = 0.0

    @property
    def deadline(self) -> float:
        """When the child is to be killed, by the monotonic clock.

        On a busy machine it has longer, but not twice as long.
        """
        seconds = self.request.limits.seconds
        return self.began + seconds + min(self.waited, _PATIENCE * seconds)


def main() -> None:
    """Serve until the requests end: by forks where there are any, else in new processes."""
    requests, replies = _take_channels()
    if sys.argv[1:] == [fresh.ONE]:
        fresh.live_alone(requests, replies)
    _say(replies, _prepare())
    if hasattr(os, "fork") and sys.argv[2:] != ["fresh"]:
        # No child looks through all of torch for garbage, which would copy what it shares with us.
        gc.collect()
        gc.freeze()
        Server(requests, replies, int(sys.argv[1])).serve()
    else:
        for answer in fresh.answers(os.fdopen(requests, "rb")):
            _say(replies, answer)


def _take_channels() -> tuple[int, int]:
    """Move the protocol off the standard descriptors, which belong to the code under test."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return requests, replies


def _prepare() -> dict[str, Any]:
    """Import torch with one thread; says what it is, or why it cannot be had."""
    os.environ.update(ONE_THREAD)
    try:
        import torch

        from . import bystanders
    except BaseException as error:
        return {"failed": f"{type(error).__name__}: {error}"}
    with contextlib.suppress(Exception):
        # What torch imports at the first use of a mode; every child would import it anew.
        import torch._dynamo
    reachable.of_interpreter()
    bystanders.know()
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    return {"torch": str(torch.__version__), "python": sys.version.split()[0]}


def _said(message: dict[str, Any]) -> bytes:
    return (json.dumps(message) + "\n").encode()


def _say(replies: int, message: dict[str, Any]) -> None:
    data = _said(message)
    while data:
        data = data[os.write(replies, data) :]


class Server:
    """Reads requests, keeps so many children running, and answers as they end."""

    def __init__(self, requests: int, replies: int, most: int) -> None:
        self._requests = requests
        self._replies = replies
        self._most = most
        self._waiting: deque[Request] = deque()
        self._children: dict[int, Child] = {}
        self._started = 0
        self._unread = self._unsent = b""
        self._open = True
        self._selector = selectors.DefaultSelector()
        self._selector.register(requests, selectors.EVENT_READ, self._read_requests)
        os.set_blocking(replies, False)
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)
        self._selector.register(self._woken, selectors.EVENT_READ, self._reap)

    def serve(self) -> None:
        """Run until the other side closes its end, then kill what is left."""
        kernel.adopt_orphans()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # torchlint closes the channel when it stops
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        while self._open or self._children or self._waiting:
            self._start_waiting()
            for key, _ in self._selector.select(self._until_deadline()):
                key.data()
            self._stop_late()
        _leave()

    def _until_deadline(self) -> float | None:
        if not self._children:
            return None
        first = min(child.deadline for child in self._children.values())
        return max(0.0, first - time.monotonic())

    def _read_requests(self) -> None:
        data = os.read(self._requests, 65536)
        if not data:
            self._hang_up()
            return
        *lines, self._unread = (self._unread + data).split(b"\n")
        self._waiting.extend(Request.parse(line.decode()) for line in lines)

    def _hang_up(self) -> None:
        """Nobody listens any more: what runs is killed, what waits is dropped."""
        self._selector.unregister(self._requests)
        self._open = False
        if self._unsent:
            self._selector.unregister(self._replies)
            self._unsent = b""
        self._waiting.clear()
        for child in list(self._children.values()):
            processes.kill_tree(child.pid)

    def _start_waiting(self) -> None:
        while self._waiting and len(self._children) < self._most:
            self._start(self._waiting.popleft())

    def _start(self, request: Request) -> None:
        verdict_end, verdict_fd = os.pipe()
        output_end, output_fd = os.pipe()
        fate_end, fate_fd = os.pipe()
        scratch = os.path.realpath(tempfile.mkdtemp(prefix="torchlint-"))
        with contextlib.suppress(Exception):
            # Here, so that the children need not; one that fails says so in its own child.
            experiment(request.job.code)
        guard.prepare()
        self._started += 1
        if self._started == _MANY:
            kernel.use_large_pages()
        pid = os.fork()
        if pid == 0:
            _live(request, (verdict_fd, output_fd, fate_fd), scratch)
        for end in (verdict_fd, output_fd, fate_fd):
            os.close(end)
        os.set_blocking(fate_end, False)
        child = Child(request, pid, verdict_end, output_end, fate_end, scratch)
        self._children[pid] = child
        for end in (verdict_end, output_end):
            os.set_blocking(end, False)
            self._selector.register(end, selectors.EVENT_READ, lambda: self._listen(child))

    def _listen(self, child: Child) -> None:
        """Take what the child says; one that never ends is read and forgotten."""
        if child.pid not in self._children:
            return  # ended in the same round, its descriptors are closed
        for end in (child.verdict_end, child.output_end):
            data = _read_some(end)
            if data == b"":
                self._unregister(end)
            elif data and end == child.verdict_end:
                child.verdict.extend(data[: _MOST_VERDICT - len(child.verdict)])
            elif data:
                child.output = (child.output + data)[-_KEPT_OUTPUT:]

    def _unregister(self, end: int) -> None:
        with contextlib.suppress(KeyError):
            self._selector.unregister(end)

    def _stop_late(self) -> None:
        now = time.monotonic()
        for child in [child for child in self._children.values() if child.deadline <= now]:
            child.waited = processes.waited(child.pid)
            if child.deadline > now:
                continue
            processes.kill_tree(child.pid)
            os.waitpid(child.pid, 0)
            fate = Fate.parse(_read_some(child.fate_end) or b"") or Fate(0)
            reason = fate.reason or f"stopped after {child.request.limits.seconds:g} seconds"
            self._finish(child, Observation(OPEN, reason=reason))

    def _reap(self) -> None:
        """Answer for the children that have ended; orphans of theirs are killed and collected."""
        _read_some(self._woken)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            child = self._children.get(pid)
            if child is not None:
                processes.kill_group(pid)
                self._listen(child)
                found = verdict(bytes(child.verdict), child.request.secret)
                fate = Fate.parse(_read_some(child.fate_end) or b"") or Fate(status)
                if fate.reason or found is None:
                    found = Observation(OPEN, reason=fate.told(child.output))
                self._finish(child, found)

    def _finish(self, child: Child, seen: Observation) -> None:
        del self._children[child.pid]
        for end in (child.verdict_end, child.output_end, child.fate_end):
            self._unregister(end)
            os.close(end)
        processes.kill_strays(self._children)
        shutil.rmtree(child.scratch, ignore_errors=True)
        if not seen.seconds:
            seen = replace(seen, seconds=round(time.monotonic() - child.began, 3))
        if self._open:
            self._send({"number": child.request.number, "observation": asdict(seen)})

    def _send(self, message: dict[str, Any]) -> None:
        """Hand a reply over, as soon as it is taken: who writes a request may not listen yet."""
        if not self._unsent:
            self._selector.register(self._replies, selectors.EVENT_WRITE, self._send_more)
        self._unsent += _said(message)

    def _send_more(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._unsent = self._unsent[os.write(self._replies, self._unsent) :]
        if not self._unsent:
            self._selector.unregister(self._replies)


def _leave() -> None:
    """Remove the folder for what is temporary; who started this does, unless it was killed."""
    folder = os.environ.get("TMPDIR", "")
    if os.path.basename(folder).startswith(_OWN_FOLDER):
        shutil.rmtree(folder, ignore_errors=True)


def _read_some(end: int) -> bytes | None:
    """Bytes that are there, None where there are none yet, empty where there will be none."""
    try:
        return os.read(end, 65536)
    except BlockingIOError:
        return None


def _live(request: Request, ends: tuple[int, int, int], scratch: str) -> None:
    """The life of a warden, and of the job that it starts."""
    verdict_fd, output_fd, fate_fd = ends
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)

        def job(around: Surroundings) -> None:
            _observe(request, (verdict_fd, output_fd), scratch, around)

        warden.live(scratch, request.limits, job, fate_fd)
    finally:
        os._exit(0)


def _observe(request: Request, ends: tuple[int, int], scratch: str, around: Surroundings) -> None:
    """The life of a job: shut in, observe, report, end without running exit handlers."""
    mine = os.getpid()
    readable = list(reachable.readable(request.job))
    reachable.lay_out(request.job, scratch)
    verdict_fd = _arrange_descriptors(*ends)
    enforced = shut_in(scratch, request.limits, around, readable, request.job.accelerated)
    watching = Guard(request.job, partial(denounce, verdict_fd))
    most = (1 + _PATIENCE) * request.limits.seconds
    wall = f"wall time {request.limits.seconds:g} s ({most:g} s on a busy machine)"
    limits = (wall, *warden.LIMITS, *limited(request))
    seen = replace(observation(request.job), enforced=(*limits, *enforced))
    watching.has_kept()
    if os.getpid() == mine:  # what the user's code forks may come along here as well
        report(verdict_fd, request.secret, seen)


def _arrange_descriptors(verdict_fd: int, output_fd: int) -> int:
    """Leave the child nothing but its output and, out of the way, the pipe for the verdict."""
    os.dup2(output_fd, 1)
    os.dup2(output_fd, 2)
    kept = 200
    os.dup2(verdict_fd, kept, inheritable=False)
    os.closerange(3, kept)
    os.closerange(kept + 1, 4096)
    return kept
