"""Count the mistakes that people have asked for help with, and that torchlint names by default.

``benchmarks/asked.tsv`` has a line for each question: the ``collection`` that it is of, the
``program`` (below ``benchmarks/asked``, with its corrected form beside it as ``…_fixed.py``), the
``code`` of the rule that its mistake is
of, whether torchlint said it at ``first``, before anything was mended for these questions, and
whether it does ``now``: by ``default``, only as ``pedantic``, by what some ``other`` rule says of a
marked line, or ``none``; the ``place`` where it was asked, and the ``mistake``. The programs are
written for this, in the shape of the code that was asked about; ``# asked: TLnnn`` marks what the
answer names.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from torchlint.api import check
from torchlint.findings import Level
from torchlint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = Path(__file__).with_suffix(".tsv")
FOLDER = Path(__file__).with_suffix("")
ANSWERS = ("default", "other", "pedantic", "none")
_MARK = re.compile(r"#\s*asked:")


class Question(NamedTuple):
    """A mistake that somebody has asked about, and what torchlint says of it."""

    collection: str
    program: str
    code: str
    first: str
    now: str
    place: str
    mistake: str

    @property
    def file(self) -> Path:
        """The program that makes the mistake."""
        return FOLDER / f"{self.program}.py"

    @property
    def fixed(self) -> Path:
        """The same as it was answered."""
        return FOLDER / f"{self.program}_fixed.py"


def read() -> list[Question]:
    """All questions, in the order of the table."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        header, *found = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        assert tuple(header) == Question._fields
        return [Question(*row) for row in found]


def said(file: Path, code: str) -> str:
    """What torchlint says of the mistake of a rule in a program."""
    lines = file.read_text("utf-8").splitlines()
    marked = {number for number, line in enumerate(lines, start=1) if _MARK.search(line)}
    findings = check([str(file)], Settings(level=Level.PEDANTIC, cache_dir="")).findings
    shown = [each for each in findings if each.level is not Level.PEDANTIC]
    if any(each.code == code for each in shown):
        return "default"
    if any(each.place.line in marked for each in shown):
        return "other"
    return "pedantic" if any(each.code == code for each in findings) else "none"


def totals() -> str:
    """How many are named, at first and now, as a table in Markdown."""
    return "\n".join(_totals(read())) + "\n"


def _totals(questions: list[Question]) -> Iterator[str]:
    heads = "by default", "by another rule", "only as pedantic", "not at all"
    yield f"| collection | | questions | {' | '.join(heads)} | by default in 100 |"
    yield f"| --- | --- |{' ---: |' * 6}"
    for collection in sorted({question.collection for question in questions}):
        among = [question for question in questions if question.collection == collection]
        for when in ("first", "now"):
            counts = Counter(getattr(question, when) for question in among)
            cells = " | ".join(str(counts[answer]) for answer in ANSWERS)
            share = round(100 * counts["default"] / len(among))
            yield f"| {collection} | {when} | {len(among)} | {cells} | {share} |"


def main() -> int:
    """Lint all programs; the exit status is 1 if not all is as the table has it."""
    differ = 0
    for question in read():
        now, fixed = said(question.file, question.code), said(question.fixed, question.code)
        if now != question.now or fixed == "default":
            differ += 1
            print(f"{question.program}: {question.code} {now}, fixed {fixed}", file=sys.stderr)
    print(totals(), end="")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
