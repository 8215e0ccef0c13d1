"""What a cluster costs on a fetched project, and what a million files like these would cost.

A scheduler and up to two workers of one thread each are started on this machine, which is how it
can be measured without others: what goes over the network stays in the machine. CPU of the workers
is what they take during the run; each has linted the fixtures of a rule before, so that nothing is
imported for the first time. Each figure is the least of some rounds.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]
from speed import MEGABYTE, run

if TYPE_CHECKING:
    from collections.abc import Iterator

TREE = Path(__file__).resolve().parent.parent
FIXTURES = TREE / "fixtures" / "training" / "missing-zero-grad"
SAID = re.compile(r"(?:Scheduler at|Start worker at):\s+(tcp://\S+)\n")
MILLION = 1_000_000
HOUR = 3600


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock, and CPU seconds of who asks, and of the workers."""

    wall: float
    client: float
    workers: float = 0.0


@contextmanager
def started(scratch: Path, *arguments: str) -> Iterator[tuple[psutil.Process, str]]:
    """A part of a cluster, and its address."""
    log = scratch / f"{arguments[0]}{time.monotonic_ns()}.log"
    with log.open("wb") as said:
        process = psutil.Popen(
            [sys.executable, "-m", "dask", *arguments, "--no-dashboard"], stderr=said
        )
    try:
        while not (found := SAID.search(log.read_text("utf-8"))):
            if process.poll() is not None:
                sys.exit(log.read_text("utf-8"))
            time.sleep(0.1)
        yield process, found[1]
    finally:
        process.kill()
        process.wait()


def lint(folder: Path, *options: str) -> Cost:
    """Lint a folder and keep nothing."""
    command = [sys.executable, "-m", "torchlint", "--no-cache", "--quiet", *options, "."]
    cost = run(command, folder)
    return Cost(cost.wall, cost.cpu)


def lint_elsewhere(folder: Path, count: int, rounds: int) -> Cost:
    """Have as many workers lint a folder."""
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        listening = ("scheduler", "--port", "0", "--host", "127.0.0.1")
        _, address = stack.enter_context(started(scratch, *listening))
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(scratch))
        workers = [
            stack.enter_context(started(scratch, "worker", address, *options))[0]
            for _ in range(count)
        ]
        there = ("--cluster", address, "--jobs", "1")
        lint(FIXTURES, *there)
        costs = []
        for _ in range(rounds):
            before = sum(map(cpu, workers))
            cost = lint(folder, *there)
            costs.append(Cost(cost.wall, cost.client, sum(map(cpu, workers)) - before))
    return least(costs)


def cpu(process: psutil.Process) -> float:
    """The CPU seconds that a process has taken so far."""
    times = process.cpu_times()
    return float(times.user + times.system)


def least(costs: list[Cost]) -> Cost:
    """The least of each figure."""
    return Cost(
        min(cost.wall for cost in costs),
        min(cost.client for cost in costs),
        min(cost.workers for cost in costs),
    )


def main() -> None:
    """Measure one project, and multiply."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("project", nargs="?", default="timm")
    parser.add_argument("--cache", type=Path, default=Path(".benchmarks"))
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    folder = options.cache / options.project
    texts = [file.read_bytes() for file in folder.rglob("*.py")]
    if not texts:
        parser.error(f"{folder} has no Python files; run benchmarks/fetch.py")
    rounds = range(options.rounds)
    costs = {
        "one process": least([lint(folder, "--jobs", "1") for _ in rounds]),
        "two processes": least([lint(folder, "--jobs", "2") for _ in rounds]),
        "a cluster of one": lint_elsewhere(folder, 1, options.rounds),
        "a cluster of two": lint_elsewhere(folder, 2, options.rounds),
    }
    size = sum(map(len, texts)) / MEGABYTE
    print(f"{options.project}: {len(texts)} files, {size:.1f} MB")
    print(f"{'':<18}{'wall s':>8}{'client s':>10}{'workers s':>11}{'h for a million files':>23}")
    for what, cost in costs.items():
        hours = (cost.client + cost.workers) * MILLION / len(texts) / HOUR
        print(f"{what:<18}{cost.wall:>8.1f}{cost.client:>10.1f}{cost.workers:>11.1f}{hours:>23.0f}")


if __name__ == "__main__":
    main()
