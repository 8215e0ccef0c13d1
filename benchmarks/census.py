"""Hold the findings on real projects against what a reader has made of them.

``benchmarks/census/<project>.tsv`` has a line for each finding that shows by default and that
somebody has read: the version of the project, path, line, code, ``right`` or ``wrong``, and why.
This lints the fetched projects and says which findings nobody has read yet, which ones are gone,
and how many of those that are there are right. The exit status is 1 while some are unread.

``--totals`` lints nothing, and counts what the tables say: by level, by project and by rule.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fetch import PROJECTS

from torchlint.findings import Level
from torchlint.registry import rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

TABLES = Path(__file__).parent / "census"
HEADER = ("version", "path", "line", "code", "reading", "why")
UNREAD = "?"


class Key(NamedTuple):
    """A finding, as the same one is known again in the same version of a project."""

    path: str
    line: int
    code: str


class Reading(NamedTuple):
    """What a reader says of a finding."""

    version: str
    reading: str
    why: str


def read(project: str) -> dict[Key, Reading]:
    """The table of a project; readings of another version than the pinned one do not count."""
    file = TABLES / f"{project}.tsv"
    if not file.exists():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {
            Key(row["path"], int(row["line"]), row["code"]): Reading(
                row["version"], row["reading"], row["why"]
            )
            for row in rows
            if row["version"] == PROJECTS[project]
        }


def write(project: str, table: dict[Key, Reading]) -> None:
    """Write the table of a project, in order of place."""
    TABLES.mkdir(exist_ok=True)
    with (TABLES / f"{project}.tsv").open("w", encoding="utf-8", newline="") as lines:
        rows = csv.writer(
            lines, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None
        )
        rows.writerow(HEADER)
        for key, (version, reading, why) in sorted(table.items()):
            rows.writerow([version, *key, reading, why])


def lint(folder: Path, select: str) -> dict[Key, str]:
    """The findings in a project that show by default, with their messages."""
    command = [sys.executable, "-m", "torchlint", "--output-format", "json", "."]
    command += ["--select", select] if select else []
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if run.returncode == 2:
        sys.exit(f"torchlint failed on {folder}: {run.stderr}")
    found = json.loads(run.stdout)["findings"]
    return {Key(one["path"], one["line"], one["code"]): one["message"] for one in found}


def compare(project: str, found: dict[Key, str], table: dict[Key, Reading], select: str) -> int:
    """Print how a run differs from the table; gives the number of unread findings."""
    unread = [key for key in found if key not in table or table[key].reading == UNREAD]
    known = {key: table[key].reading for key in found if key in table}
    codes = tuple(filter(None, select.split(",")))
    gone = [key for key in table if key not in found and (not codes or key.code.startswith(codes))]
    counts = Counter(known.values())
    print(
        f"{project} {PROJECTS[project]}: {len(found)} found, {counts['right']} right, "
        f"{counts['wrong']} wrong, {len(unread)} unread, {len(gone)} gone"
    )
    for key in unread:
        print(f"  unread {key.path}:{key.line} {key.code} {found[key]}")
    for key in gone:
        print(f"  gone   {key.path}:{key.line} {key.code} ({table[key].reading})")
    return len(unread)


def by_rule(readings: Iterable[tuple[Key, Reading]]) -> None:
    """Print how many of the readings of each rule are right."""
    every = list(readings)
    right = Counter(key.code for key, reading in every if reading.reading == "right")
    for code, count in sorted(Counter(key.code for key, _ in every).items()):
        print(f"  {code}: {right[code]} of {count} right")


def totals() -> str:
    """How many of all findings in the tables are right, as tables in Markdown.

    The level of a finding is that of its rule.
    """
    known = rules()
    levels: dict[str, Counter[str]] = {level: Counter() for level in Level}
    projects: dict[str, Counter[str]] = {}
    codes: dict[str, Counter[str]] = {}
    for project in PROJECTS:
        for key, reading in read(project).items():
            rule = known[key.code]
            name = f"{rule.code} {rule.name} ({rule.level})"
            of_both = codes.setdefault(name, Counter()), projects.setdefault(project, Counter())
            for counts in (*of_both, levels[rule.level]):
                counts[reading.reading] += 1
    levels["all"] = sum(levels.values(), Counter())
    tables = {"level": levels, "project": projects, "rule": dict(sorted(codes.items()))}
    return "\n".join(
        line for what, counts in tables.items() for line in (*_table(what, counts), "")
    )


def _table(what: str, counts: Mapping[str, Counter[str]]) -> Iterator[str]:
    """The lines of a table: what there is none of is left out."""
    yield f"| {what} | right | wrong | right in 100 |"
    yield "| --- | ---: | ---: | ---: |"
    for name, count in counts.items():
        right, wrong = count["right"], count["wrong"]
        if right or wrong:
            yield f"| {name} | {right} | {wrong} | {100 * right / (right + wrong):.0f} |"


def main() -> None:
    """Compare the projects that the command line names, or all that are fetched."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help=", ".join(PROJECTS))
    parser.add_argument("--cache", type=Path, default=Path(".benchmarks"))
    parser.add_argument("--select", default="", help="look at these rules only")
    parser.add_argument(
        "--write", action="store_true", help=f"add unread findings to the tables, as {UNREAD}"
    )
    parser.add_argument("--totals", action="store_true", help="count what the tables say")
    options = parser.parse_args()
    if options.totals:
        print(totals(), end="")
        return
    names = options.projects or [name for name in PROJECTS if (options.cache / name).is_dir()]
    unread = 0
    present: list[tuple[Key, Reading]] = []
    for name in names:
        table = read(name)
        found = lint(options.cache / name, options.select)
        unread += compare(name, found, table, options.select)
        present += [(key, table[key]) for key in found if key in table]
        if options.write:
            blank = Reading(PROJECTS[name], UNREAD, "")
            write(name, dict.fromkeys(found, blank) | table)
    by_rule(present)
    sys.exit(unread > 0)


if __name__ == "__main__":
    main()
