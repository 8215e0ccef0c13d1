"""Count what readers made of findings in projects that torchlint had not been tuned on.

``benchmarks/unseen.tsv`` has a line for each finding that showed by default when the projects were
linted for the first time: project, version, path, line, code, ``right`` or ``wrong``, whether it is
there ``still`` since the wrong ones were looked into (``yes`` or ``no``), and why.
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
    """How many were right at first, and how many are now, as a table in Markdown."""
    return "\n".join(_table(read())) + "\n"


def _table(readings: list[Reading]) -> Iterator[str]:
    yield "| rule | at first right | wrong | now right | wrong |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for code in (*sorted({reading.code for reading in readings}), "all"):
        counts = Counter(
            (reading.reading, still)
            for reading in readings
            if code in {reading.code, "all"}
            for still in ("at first", *(["now"] if reading.still == "yes" else []))
        )
        cells = [counts[made, when] for when in ("at first", "now") for made in ("right", "wrong")]
        yield f"| {code} | {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    print(totals(), end="")
