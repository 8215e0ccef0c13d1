"""Runs jobs in the user's interpreter, each in a shut-in process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import tempfile
from collections import deque
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, Self

from torchlint.confirm import bubblewrap
from torchlint.confirm.outlining import Outlines
from torchlint.confirm.runner import drivers
from torchlint.confirm.runner.protocol import OPEN, Job, Observation
from torchlint.confirm.scratch import Folder
from torchlint.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

MEMORY = 3 * 2**30
_MOST_WORDS = 600
_ENTRY = Path(__file__).parent / "runner" / "__main__.py"
# What an interpreter needs to find its packages; nothing else of the user's environment goes in.
_PASSED_ON = ("PATH", "HOME", "LANG", "TZ", "SYSTEMROOT", "LD_LIBRARY_PATH", drivers.VISIBLE)


def passed_on() -> dict[str, str]:
    """What an interpreter is told of the user's environment."""
    return {name: os.environ[name] for name in _PASSED_ON if name in os.environ}


class SandboxError(ValueError):
    """The interpreter cannot run experiments; the message says what to do."""


class Bench(Protocol):
    """Where jobs run: they go in, and observations come out as they end."""

    def __enter__(self) -> Self:
        """From here on it takes jobs."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """What still runs is ended."""

    def submit(self, job: Job) -> int:
        """Hand a job in; the number comes back with its observation."""

    def observations(self) -> Iterator[tuple[int, Observation]]:
        """The observations of the jobs handed in, as they end; more may be handed in meanwhile."""


class Sandbox:
    """A warm server in the user's interpreter: jobs go in, observations come out as they end.

    ``fresh`` asks for a new interpreter a job, as on platforms that cannot fork, ``wrapped`` for
    bubblewrap around it all, which by default is there where it is needed.
    """

    def __init__(
        self,
        python: str,
        seconds: float,
        jobs: int,
        memory: int = MEMORY,
        fresh: bool = False,
        wrapped: bool | None = None,
    ) -> None:
        self._wrapped = bubblewrap.is_needed() if wrapped is None else wrapped
        self.python = python
        self.seconds = seconds
        self.memory = memory
        self.torch = ""
        self._jobs = jobs
        self._mode = ["fresh"] if fresh else []
        self._queue: deque[tuple[int, Job]] = deque()
        self._waiting: set[int] = set()
        self._next = 0
        self._ended = False

    def __enter__(self) -> Self:
        self._errors: IO[bytes] = tempfile.TemporaryFile()
        # All that the interpreter makes on its way lies here, and goes with the sandbox.
        self._scratch = Folder()
        folder = self._scratch.path
        self._outlines = Outlines(os.path.join(folder, "outlines"))
        command = [self.python, "-B", str(_ENTRY), str(self._jobs), *self._mode]
        if self._wrapped:
            command = bubblewrap.around(command, folder)
        variables = passed_on() | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)
        try:
            self._server = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=variables,
                start_new_session=True,
            )
        except OSError as error:
            self._forget()
            reason = error.strerror or error
            raise SandboxError(
                f"cannot start {self.python}: {reason}; name a Python that has torch with --python"
            ) from None
        try:
            self._greet()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self._input.close()
        try:
            self._server.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        self._output.close()
        self._forget()

    def _forget(self) -> None:
        self._errors.close()
        self._scratch.remove()

    def submit(self, job: Job) -> int:
        """Hand a job in; the number comes back with its observation."""
        number = self._next
        self._next += 1
        self._queue.append((number, job))
        return number

    def _request(self, number: int, job: Job) -> bytes:
        request = {
            "number": number,
            "job": asdict(replace(job, outlines=self._outlines.folder_for(job))),
            "seconds": self.seconds,
            "memory": self.memory,
            "secret": secrets.token_hex(16),
        }
        return json.dumps(request).encode() + b"\n"

    def observations(self) -> Iterator[tuple[int, Observation]]:
        """The observations of the jobs handed in, as they end; more may be handed in meanwhile."""
        while self._queue or self._waiting:
            self._feed()
            reply = self._read()
            if reply is None:
                yield from self._give_up()
                return
            self._waiting.discard(reply["number"])
            seen = _observation(reply["observation"])
            if self._wrapped and seen.enforced:
                seen = replace(seen, enforced=(*seen.enforced, bubblewrap.HOLDS))
            yield reply["number"], seen

    def _feed(self) -> None:
        """Keep the server busy, but no fuller than the channel holds: both sides may write."""
        while self._queue and len(self._waiting) < 2 * self._jobs:
            number, job = self._queue.popleft()
            self._waiting.add(number)
            with contextlib.suppress(OSError):
                self._input.write(self._request(number, job))
                self._input.flush()

    def _give_up(self) -> Iterator[tuple[int, Observation]]:
        reason = f"{self.python} ended while it ran the experiments"
        numbers = [*self._waiting, *(number for number, _ in self._queue)]
        self._waiting.clear()
        self._queue.clear()
        for number in numbers:
            yield number, Observation(OPEN, reason=reason)

    @property
    def _input(self) -> IO[bytes]:
        assert self._server.stdin is not None
        return self._server.stdin

    @property
    def _output(self) -> IO[bytes]:
        assert self._server.stdout is not None
        return self._server.stdout

    def _greet(self) -> None:
        greeting = self._read()
        if greeting is None:
            raise SandboxError(f"{self.python} does not run experiments: {self._last_words()}")
        if "failed" in greeting:
            raise SandboxError(
                f"{self.python} cannot import torch ({greeting['failed']}); "
                "name a Python that can with --python"
            )
        self.torch = greeting["torch"]

    def _read(self) -> dict[str, Any] | None:
        line = self._output.readline()
        try:
            reply: dict[str, Any] = json.loads(line)
        except ValueError:
            return None
        return reply

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it ended without a word"


def _observation(data: dict[str, Any]) -> Observation:
    """The observation of a reply; what it says may be in the words of the code under test."""
    for name in ("evidence", "reason"):
        data[name] = _plain(data[name])
    return Observation.of(data)


def _plain(text: str) -> str:
    """A text for people to read: of one line, not too long, and without a terminal's commands."""
    shown = text if len(text) <= _MOST_WORDS else f"{text[: _MOST_WORDS - 1]}…"
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in shown
    )
