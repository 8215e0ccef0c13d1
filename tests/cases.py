"""The cases in ``fixtures/``: files and folders that are each linted on their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import chdir
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from annotations import Mark, read_marks

from torchlint.api import check
from torchlint.findings import Finding, Level, Report
from torchlint.registry import Rule, find, rules
from torchlint.settings import Settings

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"
PAGES = ROOT / "rules"
EXPERIMENTS = ROOT / "torchlint" / "confirm" / "runner" / "experiments.py"
DEMOS = ("demo", "demo_fixed")


@dataclass(frozen=True)
class Case:
    """A file or folder of fixtures; the prefix of its name says what it is to show."""

    path: Path

    @property
    def label(self) -> str:
        """The path from ``fixtures/`` on."""
        return self.path.relative_to(FIXTURES).as_posix()

    @property
    def kind(self) -> str:
        """``fires``, ``silent``, ``fixed``, or another prefix."""
        return self.path.name.partition("_")[0]

    @property
    def rule(self) -> str:
        """The code of the rule whose folder the case is in; empty for the demos."""
        rule = find(self.path.parent.name)
        return rule.code if rule else ""

    @property
    def is_executable(self) -> bool:
        """Whether the case is of a rule about code, not about the run itself."""
        return bool(self.rule and rules()[self.rule].question)

    @property
    def twin(self) -> Case:
        """The corrected twin of a firing case."""
        return Case(self.path.with_name(self.path.name.replace("fires_", "fixed_", 1)))

    @property
    def files(self) -> list[Path]:
        """The Python files of the case."""
        return sorted(self.path.rglob("*.py")) if self.path.is_dir() else [self.path]

    def marks(self, *kinds: str) -> list[tuple[Path, Mark]]:
        """The marks of some kinds in all files."""
        return [
            (file, mark) for file in self.files for mark in read_marks(file) if mark.kind in kinds
        ]


def all_cases() -> list[Case]:
    """Every entry of ``fixtures/<group>/<name>/``, and the demos."""
    entries = [path for path in FIXTURES.glob("*/*/*") if path.parts[-3] not in DEMOS]
    entries = [path for path in entries if path.suffix == ".py" or holds_python(path)]
    demos = [FIXTURES / name for name in DEMOS if (FIXTURES / name).exists()]
    return [Case(path) for path in sorted(entries) + demos]


def holds_python(path: Path) -> bool:
    """Whether the path is a folder of Python files, and not a cache of bytecode."""
    return path.is_dir() and any(path.rglob("*.py"))


def usual_first(cases: Iterable[Case], usual: int) -> list[object]:
    """The cases for a test, of which those after the first few of a rule are slow."""
    seen = Counter[str]()
    chosen: list[object] = []
    for case in cases:
        seen[case.rule] += 1
        marks = [pytest.mark.slow] if seen[case.rule] > usual else []
        chosen.append(pytest.param(case, marks=marks, id=case.label))
    return chosen


@cache
def lint(case: Case) -> Report:
    """The report on a case, with every rule and level; its paths are from ``fixtures/`` on."""
    with chdir(FIXTURES):
        return check([str(case.path.relative_to(FIXTURES))], Settings(level=Level.PEDANTIC))


Expectation = tuple[str, int, str, str]


def expected(files: list[Path], root: Path) -> Counter[Expectation]:
    """What the marks of the files call for: path, line, code and level of each finding."""
    return Counter(
        (shown(file, root), mark.line, mark.code, mark.level or rules()[mark.code].level.value)
        for file in files
        for mark in read_marks(file)
        if mark.kind in ("expect", "noise")
    )


def found(findings: tuple[Finding, ...], root: Path) -> Counter[Expectation]:
    """The findings in the same terms."""
    return Counter(
        (shown(Path(item.place.path), root), item.place.line, item.code, item.level.value)
        for item in findings
    )


def shown(file: Path, root: Path) -> str:
    """The path as failures name it; one that is relative is relative to ``root``."""
    return (root / file).resolve().relative_to(root.resolve()).as_posix()


def differences(
    findings: tuple[Finding, ...], files: list[Path], root: Path, rule: str
) -> list[str]:
    """A sentence for each finding without mark and each mark without finding.

    Conventions, such as a seed, are looked at where they are marked and in the cases of their own
    ``rule``: the others are there to show something else.
    """
    marked, reported = expected(files, root), found(findings, root)
    for seen in list(reported - marked):
        if seen[3] == Level.PEDANTIC.value and seen[2] != rule:
            reported[seen] = marked[seen]
    said = {
        (shown(Path(item.place.path), root), item.place.line, item.code): item.message
        for item in findings
    }
    unexpected = [
        f"unexpected: {path}:{line} {code} ({level}) {said[path, line, code]}"
        for path, line, code, level in sorted((reported - marked).elements())
    ]
    missing = [
        f"missing: {path}:{line} {code} ({level})"
        for path, line, code, level in sorted((marked - reported).elements())
    ]
    return unexpected + missing


def has_experiment(rule: Rule) -> bool:
    """Whether execution can show the mistake of a rule; where it cannot, the page says so."""
    known = f'"{rule.code}": ' in EXPERIMENTS.read_text("utf-8")
    assert known or "**Confirm** no" in (PAGES / rule.page).read_text("utf-8")
    return known
