"""Count what readers made of findings in projects that torchlint had not been tuned on.

``benchmarks/unseen.tsv`` has a line for each place at which a rule spoke by default when projects
were linted for the first time, ``round`` by round of such projects: project, version, path, line,
code, ``right`` or ``wrong``, whether it is there ``still`` since the wrong ones were looked into
(``yes`` or ``no``), and why. A repository stands there with its commit, and a cell of a notebook as
``a.ipynb#cell``; of a few rules some places only, drawn at random.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = Path(__file__).with_suffix(".tsv")


class Reading(NamedTuple):
    """A finding, and what a reader says of it."""

    round: str
    project: str
    version: str
    path: str
    line: str
    code: str
    reading: str
    still: str
    why: str


def read() -> list[Reading]:
    """All readings, in the order of the table."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        header, *found = rows
        assert tuple(header) == Reading._fields
        return [Reading(*row) for row in found]


def totals() -> str:
    """How many were right at first, and how many are now, as two tables in Markdown."""
    return "\n".join((*_by_round(read()), "", *_by_rule(read()))) + "\n"


def _by_round(readings: list[Reading]) -> Iterator[str]:
    heads = "packages with findings", "at first right", "wrong", "in 100", "now right", "wrong"
    yield f"| round | {' | '.join(heads)} | in 100 |"
    yield f"| --- |{' ---: |' * 7}"
    for number in sorted({reading.round for reading in readings}, key=int):
        of_round = [reading for reading in readings if reading.round == number]
        packages = len({reading.project for reading in of_round})
        cells = [
            str(cell)
            for right, wrong in _counted(of_round)
            for cell in (right, wrong, round(100 * right / (right + wrong)))
        ]
        yield f"| {number} | {packages} | {' | '.join(cells)} |"


def _by_rule(readings: list[Reading]) -> Iterator[str]:
    yield "| rule | at first right | wrong | now right | wrong |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for code in (*sorted({reading.code for reading in readings}), "all"):
        of_rule = [reading for reading in readings if code in {reading.code, "all"}]
        cells = [str(cell) for pair in _counted(of_rule) for cell in pair]
        yield f"| {code} | {' | '.join(cells)} |"


def _counted(readings: list[Reading]) -> Iterator[tuple[int, int]]:
    """How many are right and wrong, at first and now."""
    for found in (readings, [reading for reading in readings if reading.still == "yes"]):
        made = Counter(reading.reading for reading in found)
        yield made["right"], made["wrong"]


if __name__ == "__main__":
    print(totals(), end="")
