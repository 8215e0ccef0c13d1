"""Confirm the findings on real projects, and hold the verdicts against what readers made of them.

``benchmarks/proofs.tsv`` has a line for each finding that was put to ``--confirm``: where it is, as
in the tables of ``census/``, the verdict, and of one that was confirmed or refuted what a reader
makes of it, ``right`` or ``wrong``, and why. It is right where the evidence tells what happens to
those who use the code.

This lints the fetched projects, runs what was found, and says which verdicts nobody has read yet,
which ones are lost, and which are at odds with the census: what is read as wrong must not be
confirmed, and what is right not refuted. The exit status is 1 while there are such.

``--write`` takes the verdicts into the table, those that nobody has read as ``?``. ``--totals``
runs nothing, and counts what the table says.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import sys
from collections import Counter
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import census
from census import Key
from fetch import PROJECTS

from torchlint import api
from torchlint.findings import Status
from torchlint.settings import ConfirmSettings, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from torchlint.findings import Finding, Verdict

TABLE = Path(__file__).parent / "proofs.tsv"
HEADER = ("project", "version", "path", "line", "code", "verdict", "reading", "why")
STATUSES = (Status.CONFIRMED, Status.REFUTED, Status.INCONCLUSIVE)
_CONTRADICTS = {Status.CONFIRMED: "wrong", Status.REFUTED: "right"}
_OWN = re.compile(r"`[^`]*`|'[^']*'|\d+|\S+\.py")
_MOST_REASONS = 10


class Reading(NamedTuple):
    """What a reader says of a verdict."""

    verdict: str
    reading: str
    why: str


def read() -> dict[str, dict[Key, Reading]]:
    """The table, by project; readings of another version than the pinned one do not count."""
    found: dict[str, dict[Key, Reading]] = {name: {} for name in PROJECTS}
    with TABLE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["version"] == PROJECTS[row["project"]]:
                key = Key(row["path"], int(row["line"]), row["code"])
                found[row["project"]][key] = Reading(row["verdict"], row["reading"], row["why"])
    return found


def write(table: Mapping[str, Mapping[Key, Reading]]) -> None:
    """Write the table, in order of project and place."""
    with TABLE.open("w", encoding="utf-8", newline="") as lines:
        rows = csv.writer(
            lines, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None
        )
        rows.writerow(HEADER)
        for project in PROJECTS:
            for key, reading in sorted(table[project].items()):
                rows.writerow([project, PROJECTS[project], *key, *reading])


def taken_in(verdicts: Mapping[Key, Verdict], known: Mapping[Key, Reading]) -> dict[Key, Reading]:
    """The table of a project with what a run says: a reading stands as long as its verdict does."""
    table = dict(known)
    for key, verdict in verdicts.items():
        if key not in known or known[key].verdict != verdict.status:
            unread = "" if verdict.status is Status.INCONCLUSIVE else census.UNREAD
            table[key] = Reading(verdict.status, unread, "")
    return table


def judged(folder: Path, select: tuple[str, ...], settings: ConfirmSettings) -> list[Finding]:
    """The findings in a project that show by default, with their verdicts."""
    with chdir(folder):
        looked = Settings(select=select, cache_dir=settings.cache_dir)
        found = api.check(["."], looked, confirm=settings)
    for trouble in found.troubles:
        print(f"  {trouble.path} {trouble.message}", file=sys.stderr)
    return [each for each in found.findings if each.verdict is not None]


def strongest(found: list[Finding]) -> dict[Key, Verdict]:
    """A verdict for each place and rule: the one that says most, where there are several."""
    best: dict[Key, Verdict] = {}
    for each in found:
        key = Key(each.place.path, each.place.line, each.code)
        if each.verdict is not None and (key not in best or _rank(each.verdict) < _rank(best[key])):
            best[key] = each.verdict
    return best


def _rank(verdict: Verdict) -> int:
    return STATUSES.index(verdict.status)


def compare(project: str, now: Mapping[Key, Verdict], known: Mapping[Key, Reading]) -> bool:
    """Print how a run differs from the table; says whether there is nothing left to do."""
    counts = Counter(verdict.status for verdict in now.values())
    said = ", ".join(f"{counts[status]} {status}" for status in STATUSES)
    print(f"{project} {PROJECTS[project]}: {len(now)} found, {said}")
    read_as = census.read(project)
    fine = True
    for key, verdict in now.items():
        place = f"{key.path}:{key.line} {key.code}"
        row = known.get(key)
        if verdict.status is Status.INCONCLUSIVE:
            if row is not None and row.verdict != verdict.status:
                print(f"  lost   {place} {row.verdict}: {verdict.reason}")
            continue
        if row is None or row.verdict != verdict.status or row.reading == census.UNREAD:
            fine = False
            print(f"  unread {place} {verdict.status}: {verdict.evidence}")
        if key in read_as and read_as[key].reading == _CONTRADICTS[verdict.status]:
            fine = False
            print(f"  at odds {place} {verdict.status}, and read as {read_as[key].reading}")
    return fine


def reasons(verdicts: list[Verdict]) -> Iterator[str]:
    """Why findings are left open, without what is told of the single one, the commonest first."""
    told = Counter(_OWN.sub("…", verdict.reason) for verdict in verdicts if verdict.reason)
    for reason, count in told.most_common(_MOST_REASONS):
        yield f"  {count:3} {reason}"


def told(project: str, verdicts: Mapping[Key, Verdict]) -> Iterator[str]:
    """A line for each verdict, with the seconds that it took and what it rests on."""
    for key, verdict in verdicts.items():
        why = verdict.evidence or verdict.reason
        yield "\t".join([project, *map(str, key), verdict.status, f"{verdict.seconds:.1f}", why])


def totals() -> str:
    """How many verdicts there are, as a table in Markdown."""
    lines = [
        "| project | findings | confirmed | refuted | inconclusive | not run | wrong |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    every: Counter[str] = Counter()
    for project, table in read().items():
        found = census.read(project)
        counts: Counter[str] = Counter({"found": len(found)})
        for key in table.keys() & found.keys():
            counts[table[key].verdict] += 1
            counts["wrong"] += table[key].reading == "wrong"
        every += counts
        if found:
            lines.append(_row(project, counts))
    return "\n".join([*lines, _row("all", every), ""])


def _row(name: str, counts: Counter[str]) -> str:
    judged = [counts[status] for status in STATUSES]
    cells = [counts["found"], *judged, counts["found"] - sum(judged), counts["wrong"]]
    return " | ".join([f"| {name}", *map(str, cells)]) + " |"


def main() -> None:
    """Confirm what is found in the projects that the command line names, or in all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help=", ".join(PROJECTS))
    parser.add_argument("--cache", type=Path, default=Path(".benchmarks"))
    parser.add_argument("--select", default="", help="look at these rules only")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that runs them")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--kept", type=Path, help="a folder for what analyses have found out")
    parser.add_argument("--write", action="store_true", help="take the verdicts into the table")
    parser.add_argument("--totals", action="store_true", help="count what the table says")
    parser.add_argument("--list", type=Path, help="a file for what each verdict rests on")
    options = parser.parse_args()
    if options.totals:
        print(totals(), end="")
        return
    known = read()
    select = tuple(filter(None, options.select.split(",")))
    kept = str(options.kept.resolve()) if options.kept else ""
    settings = ConfirmSettings(options.python, jobs=options.jobs, cache_dir=kept)
    fine = True
    every: list[Verdict] = []
    for name in options.projects or [name for name in PROJECTS if (options.cache / name).is_dir()]:
        verdicts = strongest(judged(options.cache / name, select, settings))
        fine &= compare(name, verdicts, known[name])
        every += verdicts.values()
        if options.write:
            known[name] = taken_in(verdicts, known[name])
            write(known)
        if options.list:
            with options.list.open("a", encoding="utf-8") as listed:
                listed.writelines(f"{line}\n" for line in told(name, verdicts))
    print("\n".join(["why they are left open:", *reasons(every)]))
    sys.exit(not fine)


if __name__ == "__main__":
    main()
