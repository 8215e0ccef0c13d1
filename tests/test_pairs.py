"""Each rule that execution can show has programs that it confirms, and look-alikes.

That it does is what ``test_confirm_fixtures`` holds for the cases as they lie; here it is held
that there are enough of them, and that a case is judged the same when it is a package.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections import Counter
from contextlib import chdir
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import pytest
from annotations import parse_marks
from cases import PAGES, Case, all_cases, differences, has_experiment
from forcing import at_line
from splitting import packaged

from torchlint.api import check
from torchlint.confirm import confirm
from torchlint.findings import Finding, Level, Status
from torchlint.registry import Rule, rules
from torchlint.settings import ConfirmSettings, Settings

ENOUGH = 3
TESTS = Path(__file__).parent
UNCONFIRMED = tomllib.loads((TESTS / "unconfirmed.toml").read_text("utf-8"))
PACKAGED = tomllib.loads((TESTS / "packaged.toml").read_text("utf-8"))
ONLY = set(filter(None, os.environ.get("CONFIRM_ONLY", "").split(",")))

# Rules with an experiment that needs what the tests do not have.
OUT_OF_REACH = {
    "TL813": "only a real accelerator can be behind the clock",
}


# Rules whose cases need a package that the tests may not have.
NEEDING = {
    "TL905": "torchvision, whose old names the rule is about",
}


def says_that_it_confirms(rule: Rule) -> bool:
    """Whether the page of a rule says that it is confirmed, if under a condition."""
    said = re.search(r"\*\*Confirm\*\* (\S+)", (PAGES / rule.page).read_text("utf-8"))
    return said is not None and said[1] != "no"


CONFIRMING = [
    rule
    for rule in rules().values()
    if rule.question and has_experiment(rule) and says_that_it_confirms(rule)
]
CASES = all_cases()
BY_RULE = {code: list(cases) for code, cases in groupby(CASES, attrgetter("rule"))}


def confirmed(rule: Rule) -> list[Case]:
    """The cases of a rule that have to be confirmed."""
    return [
        case
        for case in BY_RULE[rule.code]
        if case.kind == "fires" and case.label not in UNCONFIRMED
        if any(mark.code == rule.code for _, mark in case.marks("expect"))
    ]


def look_alikes(rule: Rule) -> list[Case]:
    """The cases of a rule that must not be, put to the test as if they still held the mistake."""
    return [
        case
        for case in BY_RULE[rule.code]
        if any(mark.code == rule.code for _, mark in case.marks("fixed"))
    ]


def test_each_rule_has_enough_of_both() -> None:
    counts = {rule.code: (len(confirmed(rule)), len(look_alikes(rule))) for rule in CONFIRMING}
    short = {code: pair for code, pair in counts.items() if min(pair) < ENOUGH}
    assert short.keys() == OUT_OF_REACH.keys(), short


def test_what_is_out_of_reach_says_so() -> None:
    for code in OUT_OF_REACH:
        said = re.search(r"\*\*Confirm\*\* (.+)", (PAGES / rules()[code].page).read_text("utf-8"))
        assert said is not None
        assert "accelerator" in said[1]


def test_each_group_has_packages_of_both() -> None:
    groups = {case.path.parent.parent.name for rule in CONFIRMING for case in confirmed(rule)}
    for cases in (confirmed, look_alikes):
        folders = Counter(
            case.path.parent.parent.name
            for rule in CONFIRMING
            for case in cases(rule)
            if case.path.is_dir()
        )
        assert all(folders[group] >= 2 for group in groups), folders


def test_each_rule_has_a_package_or_becomes_one() -> None:
    single = {rule.code for rule in CONFIRMING if not any(c.path.is_dir() for c in confirmed(rule))}
    assert single - PACKAGED.keys() == OUT_OF_REACH.keys() | NEEDING.keys()
    labels = {case.label for rule in CONFIRMING for case in confirmed(rule)}
    assert set(PACKAGED.values()) <= labels


@dataclass(frozen=True)
class Package:
    """A case of one file with its corrected twin, as packages in folders of their own."""

    code: str
    case: Case

    def found(self) -> list[Finding]:
        """What is found in it, which is what is marked."""
        files = _written(self.case.path.read_text("utf-8"), Path(self.code))
        found = check([self.code], Settings(level=Level.PEDANTIC)).findings
        assert not differences(found, files, Path.cwd(), self.case.rule)
        return [each for each in found if each.code == self.code]

    def forced(self) -> list[Finding]:
        """What the findings of its twin would be, did that still hold the mistake."""
        files = _written(self.case.twin.path.read_text("utf-8"), Path(f"{self.code}_fixed"))
        return [
            at_line(rules()[mark.code], file.as_posix(), text, mark.line)
            for file in files
            for text in [file.read_text("utf-8")]
            for mark in parse_marks(text)
            if mark.kind == "fixed" and mark.code == self.code
        ]


def _written(text: str, folder: Path) -> list[Path]:
    """The package that a file becomes."""
    files = []
    for name, content in packaged(text).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
        files += [file] if name.endswith(".py") else []
    return files


PACKAGES = [
    Package(code, case)
    for code, label in sorted(PACKAGED.items())
    for case in CASES
    if case.label == label and (not ONLY or code in ONLY)
]
USUAL = {package.code for package in PACKAGES[::12]} | ONLY


@pytest.fixture(scope="module")
def judged(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[Finding]]:
    """The findings of the packages whose tests run, and the forced ones of their twins."""
    calls = [getattr(item, "callspec", None) for item in request.session.items]
    tested = [call.params.get("package") for call in calls if call is not None]
    asked = []
    with chdir(tmp_path_factory.mktemp("packages")):
        for package in tested:
            if not isinstance(package, Package):  # Other tests may name what they take so.
                continue
            asked += [(package.code, each) for each in package.found()]
            asked += [(f"{package.code} fixed", each) for each in package.forced()]
        settings = ConfirmSettings(python=sys.executable, jobs=2, seconds=60)
        answers = confirm([finding for _, finding in asked], settings)
    found: dict[str, list[Finding]] = {}
    for (name, _), answer in zip(asked, answers, strict=True):
        found.setdefault(name, []).append(answer)
    return found


@pytest.mark.torch
@pytest.mark.parametrize(
    "package",
    [
        pytest.param(each, marks=[] if each.code in USUAL else [pytest.mark.slow], id=each.code)
        for each in PACKAGES
    ],
)
def test_a_package_is_judged_as_its_file_is(
    package: Package, judged: dict[str, list[Finding]]
) -> None:
    """With its parts in a module of their own, in a ``src`` folder, and relative imports."""
    for finding in judged[package.code]:
        assert finding.verdict is not None
        assert finding.verdict.status is Status.CONFIRMED, f"{finding.place}: {finding.verdict}"
    for finding in judged[f"{package.code} fixed"]:
        assert finding.verdict is not None
        assert finding.verdict.status is not Status.CONFIRMED, f"{finding.place}: {finding.verdict}"
