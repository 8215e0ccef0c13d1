"""What the server is asked, and how an answer is known to be the runner's."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .isolation import Limits
from .protocol import ABSENT, OPEN, SHOWN, Job, Observation

if TYPE_CHECKING:
    from collections.abc import Callable

_DENOUNCED = b"denounced: "
_MOST_REASON = 300


@dataclass
class Request:
    """A job, its limits, and the word by which its verdict is known to be the runner's."""

    number: int
    job: Job
    limits: Limits
    secret: str

    @classmethod
    def parse(cls, line: str) -> Request:
        """The request of a line."""
        data = json.loads(line)
        job = Job.parse(json.dumps(data["job"]))
        return cls(data["number"], job, Limits(data["seconds"], data["memory"]), data["secret"])


def observation(job: Job) -> Observation:
    """The job's observation; whatever ends the experiment early leaves the question open."""
    from .experiments import describe, observe

    try:
        return observe(job)
    except BaseException as error:
        return Observation(OPEN, reason=f"the experiment was cut short: {describe(error)}")


def limited(request: Request) -> list[str]:
    """Have the job take no more of an accelerator's memory than of the machine's; what holds."""
    if not request.job.accelerated:
        return []
    from .present import limit, where_it_runs

    return [limit(request.limits)] if where_it_runs() == "cuda" else []


def report(channel: int, secret: str, seen: Observation) -> None:
    """Write the verdict's line, and only that the runner knows the secret of."""
    # The line starts afresh, whatever the code under test may have written into the pipe.
    _write(channel, f"\n{secret} {seen.dump()}\n")


def denounce(channel: int, sentence: str) -> None:
    """Write that no verdict of this job is to be believed, and why."""
    _write(channel, f"\n{_DENOUNCED.decode()}{sentence}\n")


def _write(
    channel: int,
    text: str,
    # Kept here, where what the code under test replaces is of no consequence.
    write: Callable[[int, bytes], int] = os.write,
) -> None:
    data = text.encode("utf-8", "replace")
    while data:
        data = data[write(channel, data) :]


def verdict(said: bytes, secret: str) -> Observation | None:
    """The observation among what was said, if exactly one line bears the secret."""
    lines = said.split(b"\n")
    for line in lines:
        if line.startswith(_DENOUNCED):
            reason = line[len(_DENOUNCED) :].decode("utf-8", "replace")
            return Observation(OPEN, reason=reason[:_MOST_REASON])
    mark = secret.encode() + b" "
    lines = [line for line in lines if line.startswith(mark)]
    if len(lines) != 1:
        return None
    try:
        seen = Observation.parse(lines[0][len(mark) :].decode())
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    words = isinstance(seen.evidence, str) and isinstance(seen.reason, str)
    return seen if words and seen.outcome in (SHOWN, ABSENT, OPEN) else None
