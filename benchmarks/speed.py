"""How fast torchlint is on fetched projects: ratios of CPU and wall time, all in one run.

Each figure is the least of some rounds, in which everything takes its turn, each time in a process
of its own with its start-up included. torchlint is given the folder, the parsers (and TorchFix, if
``--torchfix`` names its program) are given the files of it that mention torch. ``cold`` is a run
without anything kept of earlier ones, ``warm`` one in which nothing has changed since, ``changed``
one after the largest file that mentions torch was changed. torchlint is compiled once before, as it
is where it has been installed: the environment may keep Python from doing so by itself.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import torchlint

PARSE = """
import sys
{load}
for path in sys.stdin.read().splitlines():
    with open(path, "rb") as file:
        text = file.read()
    try:
        parse(text)
    except Exception:
        pass
"""
PARSERS = {
    "ast.parse": "from ast import parse",
    "libcst.parse_module": "from libcst import parse_module as parse",
}
MEGABYTE = 2**20
RSS_UNIT = 1 if sys.platform == "darwin" else 2**10
WIDTH = 40


@dataclass(frozen=True)
class Cost:
    """What a run took: CPU seconds of all its processes, seconds by the clock, megabytes of one."""

    cpu: float
    wall: float
    peak: float


def run(command: list[str], folder: Path, stdin: str = "") -> Cost:
    """Run a command to its end and read its resource usage from the kernel."""
    with tempfile.TemporaryFile("w+") as given:
        given.write(stdin)
        given.seek(0)
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdin=given, stdout=subprocess.DEVNULL)
        _, state, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(state)
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with status {process.returncode} in {folder}")
    peak = usage.ru_maxrss * RSS_UNIT / MEGABYTE
    return Cost(usage.ru_utime + usage.ru_stime, wall, peak)


class Project:
    """A copy of a project that may be changed, and what is measured on it."""

    def __init__(self, folder: Path, scratch: Path, torchfix: str | None) -> None:
        self.name = folder.name
        self.folder = scratch / folder.name
        shutil.copytree(folder, self.folder)
        texts = {file: file.read_bytes() for file in sorted(self.folder.rglob("*.py"))}
        self.lines = sum(text.count(b"\n") for text in texts.values())
        speaking = [file for file, text in texts.items() if b"torch" in text]
        self.largest = max(speaking, key=lambda file: len(texts[file]))
        self._names = "".join(f"{file}\n" for file in speaking)
        self._torchfix = torchfix
        self._kept = scratch / f"{folder.name}.cache"

    def round(self) -> dict[str, Cost]:
        """Everything once."""
        costs = {what: self._parse(load) for what, load in PARSERS.items()}
        if self._torchfix:
            command = [self._torchfix, *self._names.split()]
            costs["torchfix"] = run(command, self.folder)
        costs["cold"] = self._lint("--no-cache", "--jobs", "1")
        costs["cold, two processes"] = self._lint("--no-cache", "--jobs", "2")
        shutil.rmtree(self._kept, ignore_errors=True)
        keep = ("--cache-dir", str(self._kept), "--jobs", "1")
        costs["cold, kept"] = self._lint(*keep)
        costs["warm"] = self._lint(*keep)
        with self.largest.open("a") as file:
            file.write(f"\n# {time.time()}\n")
        costs["changed"] = self._lint(*keep)
        return costs

    def _parse(self, load: str) -> Cost:
        return run([sys.executable, "-c", PARSE.format(load=load)], self.folder, self._names)

    def _lint(self, *options: str) -> Cost:
        command = [sys.executable, "-m", "torchlint", "--output-format", "json", *options, "."]
        return run(command, self.folder)


def least(rounds: list[dict[str, Cost]]) -> dict[str, Cost]:
    """The least of each figure."""
    return {
        what: Cost(
            min(costs[what].cpu for costs in rounds),
            min(costs[what].wall for costs in rounds),
            min(costs[what].peak for costs in rounds),
        )
        for what in rounds[0]
    }


def show(project: Project, costs: dict[str, Cost]) -> None:
    """Print the table and the plot of a project."""
    unit = costs["libcst.parse_module"].cpu
    most = max(cost.cpu for cost in costs.values())
    print(f"\n{project.name}: {project.lines:,} lines")
    print(f"{'':<22}{'CPU s':>8}{'to libcst':>11}{'wall s':>8}{'peak MB':>9}")
    for what, cost in costs.items():
        bar = "█" * max(1, round(WIDTH * cost.cpu / most))
        figures = f"{cost.cpu:>8.2f}{cost.cpu / unit:>11.2f}{cost.wall:>8.2f}{cost.peak:>9.0f}"
        print(f"{what:<22}{figures}  {bar}")
    cold = costs["cold"]
    print(f"two processes are {cold.wall / costs['cold, two processes'].wall:.2f} times faster")
    print(f"to keep what is found costs {costs['cold, kept'].cpu / cold.cpu - 1:+.0%} CPU")
    for what in ("warm", "changed"):
        print(f"{what} takes {costs[what].cpu / cold.cpu:.3f} of cold")
    if "torchfix" in costs:
        print(f"TorchFix takes {costs['torchfix'].cpu / cold.cpu:.1f} times as much CPU")
    print(f"{1e6 * cold.cpu / project.lines:.0f} µs a line", flush=True)


def show_growth(measured: list[tuple[Project, Cost]]) -> None:
    """Print what a line takes in each project, from the smallest to the largest."""
    measured.sort(key=lambda each: each[0].lines)
    takes = [1e6 * cold.cpu / project.lines for project, cold in measured]
    print("\nCPU of a cold run a line, and to that in the smallest project")
    for (project, _), each in zip(measured, takes, strict=True):
        bar = "█" * max(1, round(WIDTH * each / max(takes)))
        figures = f"{project.lines:>11,}{each:>8.0f} µs{each / takes[0]:>8.2f}"
        print(f"{project.name:<30}{figures}  {bar}")


def main() -> None:
    """Measure the projects that the command line names, or all that were fetched."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("projects", nargs="*", metavar="PROJECT")
    parser.add_argument("--cache", type=Path, default=Path(".benchmarks"))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--torchfix", help="the program of TorchFix, to be measured as well")
    options = parser.parse_args()
    fetched = sorted(path.name for path in options.cache.glob("[!.]*") if path.is_dir())
    missing = [name for name in options.projects or ["any"] if name not in {*fetched, "any"}]
    if missing or not fetched:
        parser.error(f"not in {options.cache}: {', '.join(missing)}; run benchmarks/fetch.py")
    compileall.compile_dir(Path(torchlint.__file__).parent, quiet=1)
    measured = []
    for name in options.projects or fetched:
        with tempfile.TemporaryDirectory() as scratch:
            project = Project(options.cache / name, Path(scratch), options.torchfix)
            costs = least([project.round() for _ in range(options.rounds)])
            show(project, costs)
            measured.append((project, costs["cold"]))
    show_growth(measured)


if __name__ == "__main__":
    main()
