"""What the server is asked, and how an answer is known to be the runner's."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from .isolation import Limits
from .protocol import OPEN, Job, Observation


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


def report(channel: int, secret: str, seen: Observation) -> None:
    """Write the verdict's line, and only that the runner knows the secret of."""
    # The line starts afresh, whatever the code under test may have written into the pipe.
    data = f"\n{secret} {seen.dump()}\n".encode()
    while data:
        data = data[os.write(channel, data) :]


def verdict(said: bytes, secret: str) -> Observation | None:
    """The observation among what was said, if exactly one line bears the secret."""
    mark = secret.encode() + b" "
    lines = [line for line in said.split(b"\n") if line.startswith(mark)]
    return Observation.parse(lines[0][len(mark) :].decode()) if len(lines) == 1 else None
