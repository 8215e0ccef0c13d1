"""The server for platforms that cannot fork: a new interpreter for every job, one at a time.

Each imports torch anew, which takes seconds; in all else a job lives as a forked one does.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING

from . import processes
from .isolation import shut_in
from .protocol import OPEN, Observation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .requests import Request

ONE = "one"
_ENTRY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__main__.py")
_START_SECONDS = 30.0


def answers(lines: Iterator[bytes]) -> Iterator[dict[str, object]]:
    """The answer to every request, in order."""
    from .requests import Request

    for line in lines:
        request = Request.parse(line.decode())
        yield {"number": request.number, "observation": asdict(_in_new_process(line, request))}


def _in_new_process(line: bytes, request: Request) -> Observation:
    from .requests import verdict

    scratch = os.path.realpath(tempfile.mkdtemp(prefix="torchlint-"))
    process = subprocess.Popen(
        [sys.executable, "-B", _ENTRY, ONE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=scratch,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(line, timeout=request.limits.seconds + _START_SECONDS)
    except subprocess.TimeoutExpired:
        processes.kill_tree(process.pid)
        process.communicate()
        return Observation(OPEN, reason=f"stopped after {request.limits.seconds:g} seconds")
    finally:
        processes.kill_group(process.pid)
        shutil.rmtree(scratch, ignore_errors=True)
    found = verdict(said, request.secret)
    code = process.returncode
    return found or Observation(OPEN, reason=f"the process ended by itself with status {code}")


def live_alone(requests: int, replies: int) -> None:
    """The life of such a process: one request, shut in where it was started, one verdict."""
    import torch  # what the observers rest on is to be there before the code is

    with contextlib.suppress(Exception):
        # It puts something around names of torch's, which the code under test may not do.
        import torch._dynamo

    from . import reachable
    from .guard import Guard
    from .requests import Request, denounce, limited, observation, report

    torch.set_num_threads(1)
    with os.fdopen(requests, "rb") as stream:
        request = Request.parse(stream.readline().decode())
    readable = list(reachable.readable(request.job))
    reachable.lay_out(request.job, os.getcwd())
    accelerated = request.job.accelerated
    enforced = shut_in(os.getcwd(), request.limits, readable=readable, accelerated=accelerated)
    guard = Guard(request.job, partial(denounce, replies))
    wall = f"wall time {request.limits.seconds + _START_SECONDS:g} s (with what starts it)"
    limits = (wall, *limited(request))
    seen = replace(observation(request.job), enforced=(*limits, *enforced))
    guard.has_kept()
    report(replies, request.secret, seen)
    os._exit(0)
