"""Measure torchlint on fetched projects, beside merely parsing the same files.

One block a project: its size, then CPU seconds and peak memory of torchlint's whole lint, of
``ast.parse`` and of ``libcst.parse_module``, each in a process of its own and with its start-up
included. torchlint is given the folder; the two parsers are given the files that mention torch.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PARSE = """
import sys
{load}
failed = 0
for path in sys.stdin.read().splitlines():
    with open(path, "rb") as file:
        text = file.read()
    try:
        parse(text)
    except Exception:
        failed += 1
print(failed)
"""
PARSERS = {
    "ast.parse": "from ast import parse",
    "libcst.parse_module": "from libcst import parse_module as parse",
}
MEGABYTE = 2**20
RSS_UNIT = 1 if sys.platform == "darwin" else 2**10


@dataclass(frozen=True)
class Cost:
    """What a process used, and what it printed."""

    cpu: float
    peak: float
    status: int
    output: str


def run(command: list[str], stdin: str = "") -> Cost:
    """Run a command to its end and read its resource usage from the kernel."""
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as printed:
        given.write(stdin)
        given.seek(0)
        process = subprocess.Popen(command, stdin=given, stdout=printed)
        _, state, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(state)
        printed.seek(0)
        cpu = usage.ru_utime + usage.ru_stime
        peak = usage.ru_maxrss * RSS_UNIT / MEGABYTE
        return Cost(cpu, peak, process.returncode, printed.read())


def lint(folder: Path, pedantic: bool) -> tuple[Cost, dict[str, Any]]:
    """The cost of torchlint on a folder, and its report."""
    command = [sys.executable, "-m", "torchlint", "--output-format", "json", str(folder)]
    cost = run(command + ["--pedantic"] * pedantic)
    if not cost.output:
        sys.exit(f"torchlint ended with status {cost.status} on {folder}")
    return cost, json.loads(cost.output)


def row(what: str, cost: Cost, unit: Cost) -> str:
    """A line of the table: seconds, megabytes, and the ratio of seconds to those of ``unit``."""
    return f"  {what:<20}{cost.cpu:>9.2f}{cost.peak:>10.0f}{cost.cpu / unit.cpu:>12.2f}"


def measure(folder: Path, pedantic: bool) -> None:
    """Print the block of one project."""
    files = sorted(folder.rglob("*.py"))
    texts = {file: file.read_bytes() for file in files}
    lines = sum(text.count(b"\n") for text in texts.values())
    torch_files = [file for file, text in texts.items() if b"torch" in text]
    names = "\n".join(map(str, torch_files))
    del texts
    print(f"{folder.name}: {len(files):,} files, {lines:,} lines, {len(torch_files):,} with torch")
    print(f"  {'':<20}{'CPU s':>9}{'peak MB':>10}{'to libcst':>12}", flush=True)
    parsed = {
        what: run([sys.executable, "-c", PARSE.format(load=load)], names)
        for what, load in PARSERS.items()
    }
    whole, report = lint(folder, pedantic)
    unit = parsed["libcst.parse_module"]
    for what, cost in {"torchlint": whole, **parsed}.items():
        print(row(what, cost, unit))
    for what, cost in parsed.items():
        if cost.output.strip() != "0":
            print(f"  {what} refused {cost.output.strip()} files")
    print_findings(report)


def print_findings(report: dict[str, Any]) -> None:
    """Print the number of findings by code, and of files that could not be read."""
    codes = Counter(finding["code"] for finding in report["findings"])
    counts = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
    print(f"  findings: {counts or 'none'}")
    print(f"  files not read: {len(report['errors'])}", flush=True)


def main() -> None:
    """Measure the projects that the command line names, or all that were fetched."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("projects", nargs="*", metavar="PROJECT")
    parser.add_argument("--cache", type=Path, default=Path(".benchmarks"))
    parser.add_argument("--pedantic", action="store_true", help="count pedantic findings too")
    options = parser.parse_args()
    fetched = sorted(path.name for path in options.cache.glob("[!.]*") if path.is_dir())
    missing = [name for name in options.projects or ["any"] if name not in {*fetched, "any"}]
    if missing or not fetched:
        parser.error(f"not in {options.cache}: {', '.join(missing)}; run benchmarks/fetch.py")
    for name in options.projects or fetched:
        measure(options.cache / name, options.pedantic)


if __name__ == "__main__":
    main()
