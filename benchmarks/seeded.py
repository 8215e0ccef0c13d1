"""Put mistakes into programs that are right, one at a time, and count those that are found.

Each folder that is named is a project. For each seed (``seeds/``) some of the places where it can
be made are drawn, always the same ones; the project is linted with the mistake and without it, and
what the two runs differ in is the answer: ``found`` where there is a finding more of a rule that
the seed is of, by default, ``other`` where only others speak, ``pedantic`` where it takes the
option, ``none`` where nothing changes. Nothing is written into the projects.

``--write FILE`` writes a line for each mistake: project, path, line, seed, codes, answer, and the
codes of the findings that are new. Not every seed is a mistake where it falls; a reader says.
``benchmarks/seeded.tsv`` is what that was before anything was mended for these mistakes.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from seeds import SEEDS, Code, Seed, Sown

from torchlint.api import check
from torchlint.findings import Level
from torchlint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = Path(__file__).with_suffix(".tsv")
ANSWERS = ("found", "other", "pedantic", "none")


class Answer(NamedTuple):
    """What came of a mistake that was put into a project."""

    project: str
    path: str
    line: int
    seed: str
    codes: str
    answer: str
    new: str


def files(folder: Path) -> Iterator[tuple[str, Code]]:
    """The files of a project that are Python, by the paths that reports have them under."""
    for path in sorted(folder.rglob("*.py")):
        try:
            yield str(path.relative_to(folder)), Code(path.read_text("utf-8"))
        except (SyntaxError, ValueError, OSError):
            continue


def findings(texts: dict[str, str]) -> Counter[tuple[str, str, bool]]:
    """How many findings the project of this folder has: by file, rule, and whether they show."""
    settings = Settings(level=Level.PEDANTIC, cache_dir="", jobs=1)
    report = check(["."], settings, texts=texts)
    return Counter(
        (each.place.path, each.code, each.level is not Level.PEDANTIC) for each in report.findings
    )


def drawn(
    folder: Path, seed: Seed, files: list[tuple[str, Code]], most: int
) -> list[tuple[str, Sown]]:
    """Some of the places for a seed in a project, which are always the same."""
    places = [(path, sown) for path, code in files for sown in seed.sown(code)]
    return random.Random(f"{folder.name} {seed.name}").sample(places, min(most, len(places)))


def answered(folder: Path, seeds: list[str], most: int) -> list[Answer]:
    """What comes of the mistakes that are put into a project."""
    found = list(files(folder))
    answers = []
    with chdir(folder):
        before = findings({})
        for seed in (SEEDS[name] for name in seeds):
            for path, sown in drawn(folder, seed, found, most):
                new = findings({path: sown.text}) - before
                shown = sorted({code for _, code, is_shown in new if is_shown})
                hidden = {code for _, code, is_shown in new if not is_shown}
                if set(shown) & set(seed.codes):
                    answer = "found"
                elif shown:
                    answer = "other"
                else:
                    answer = "pedantic" if hidden & set(seed.codes) else "none"
                codes = ",".join(seed.codes)
                answers.append(
                    Answer(folder.name, path, sown.line, sown.seed, codes, answer, ",".join(shown))
                )
    return answers


def totals() -> str:
    """How many mistakes were found when they were first put into programs, as a table."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        assert tuple(header) == Answer._fields
        return _table([Answer(row[0], row[1], int(row[2]), *row[3:]) for row in rows])


def _table(answers: list[Answer]) -> str:
    """How many mistakes of each seed were found, as a table in Markdown."""
    lines = [f"| mistake | rules | made | {' | '.join(ANSWERS)} | found in 100 |"]
    lines += ["| --- | --- |" + " ---: |" * 6]
    for name in (*SEEDS, "all"):
        among = [each for each in answers if name in {each.seed, "all"}]
        if among:
            counts = Counter(each.answer for each in among)
            cells = " | ".join(str(counts[answer]) for answer in ANSWERS)
            codes = ", ".join(SEEDS[name].codes) if name in SEEDS else ""
            share = round(100 * counts["found"] / len(among))
            lines.append(f"| {name} | {codes} | {len(among)} | {cells} | {share} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Sow in all projects that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--seeds", nargs="*", choices=SEEDS, default=list(SEEDS))
    parser.add_argument("--most", type=int, default=1, help="places a seed and project")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    answers: list[Answer] = []
    with ProcessPoolExecutor(arguments.jobs) as pool:
        futures = [
            pool.submit(answered, folder.resolve(), arguments.seeds, arguments.most)
            for folder in arguments.folders
        ]
        for future in futures:
            answers += future.result()
            print(
                f"\r{answers[-1].project if answers else ''}: {len(answers)}",
                end="",
                file=sys.stderr,
            )
    if arguments.write:
        rows = ("\t".join(map(str, each)) for each in (Answer._fields, *answers))
        arguments.write.write_text("".join(f"{row}\n" for row in rows), "utf-8")
    print(_table(answers), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
