"""Measure how long it takes to confirm many findings of one project, and count the verdicts.

Without PATHS the project is ``fixtures/``: of what is found there, as many as ``--count`` says are
drawn, the same for a seed, and run anew, however often that was done before.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint import api
from torchlint.confirm import confirm
from torchlint.registry import rules
from torchlint.settings import ConfirmSettings, Settings

if TYPE_CHECKING:
    from torchlint.findings import Finding

FIXTURES = Path(__file__).parents[1] / "fixtures"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    if not options.paths:
        os.chdir(FIXTURES)
    found = api.check(options.paths or ["."], Settings()).findings
    # Lines of notebooks are not those of the code that is run.
    found = [each for each in found if each.place.cell is None]
    runnable = [each for each in found if rules()[each.code].question is not None]
    chosen = random.Random(options.seed).sample(runnable, min(options.count, len(runnable)))
    settings = ConfirmSettings(options.python, jobs=options.jobs)
    began, before = time.monotonic(), os.times()
    judged = confirm(chosen, replace(settings, cache_dir=""))
    report(judged, time.monotonic() - began, before)


def report(judged: list[Finding], seconds: float, before: os.times_result) -> None:
    """Say what came of it, and what it took; children count once they have ended."""
    now = os.times()
    spent = sum(now[index] - before[index] for index in range(4))
    verdicts = [each.verdict for each in judged if each.verdict]
    counts = Counter(str(verdict.status) for verdict in verdicts)
    print(f"{len(judged)} findings of {len({each.code for each in judged})} rules")
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    print(f"{seconds:.0f} s in all, {spent:.0f} s of processor time")
    slowest = max(judged, key=lambda each: each.verdict.seconds if each.verdict else 0)
    if slowest.verdict:
        print(f"the slowest: {slowest.code} {slowest.place.path}, {slowest.verdict.seconds:.1f} s")


if __name__ == "__main__":
    main()
