"""The pages say what the rules do: their examples are linted and, with torch, executed.

``CONFIRM_ONLY=TL101,TL201`` in the environment leaves the execution at these rules.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import chdir
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from annotations import NEEDS, parse_marks
from cases import PAGES, differences, has_experiment
from forcing import everywhere

from torchlint.api import check
from torchlint.confirm import confirm
from torchlint.findings import Finding, Level, Status
from torchlint.pages import page
from torchlint.registry import Rule, rules
from torchlint.ruleoptions import described
from torchlint.settings import ConfirmSettings, Settings

RULES = list(rules().values())
QUESTIONS = [rule for rule in RULES if rule.question]
HEADERS = ["Why", "Bad", "Good", "Fix", "Confirm", "Limits", "Options", "References"]
LEVEL = re.compile(r"^\*\*Level\*\* (\w+)", re.MULTILINE)
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)

TOLD = re.compile(r"^```text\nconfirmed: (.+)\n```$", re.MULTILINE)
NUMBER = re.compile(r"\d[\d,.]*(?:e[+-]?\d+)?")
CUT = re.compile(r"\s?\w*\s?…$")

by_code = {"ids": lambda item: item.code if isinstance(item, Rule) else item.label}


@dataclass(frozen=True)
class Example:
    """A block of Python on a page, and the header that it stands under."""

    rule: Rule
    header: str
    number: int
    text: str

    @property
    def label(self) -> str:
        """Also the stem of the file that the example is linted in."""
        return f"{self.rule.code}_{self.header.lower()}_{self.number}"


def sections(rule: Rule) -> dict[str, str]:
    """The text of a page under each of its headers."""
    parts = re.split(r"^## (.+)$", page(rule), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def examples() -> list[Example]:
    return [
        Example(rule, header, number, text)
        for rule in RULES
        for header, section in sections(rule).items()
        for number, text in enumerate(BLOCK.findall(section), 1)
    ]


EXAMPLES = examples()


def test_one_page_a_rule() -> None:
    pages = {path.name for path in PAGES.glob("*.md")} - {"README.md"}
    assert pages == {rule.page for rule in RULES}


@pytest.mark.parametrize("rule", RULES, **by_code)
def test_title_and_level(rule: Rule) -> None:
    assert page(rule).splitlines()[0] == f"# {rule.code} {rule.name}"
    assert LEVEL.findall(page(rule)) == [rule.level.value]


@pytest.mark.parametrize("rule", RULES, **by_code)
def test_headers_are_known_and_in_order(rule: Rule) -> None:
    headers = list(sections(rule))
    assert headers == [header for header in HEADERS if header in headers]
    required = HEADERS[:6] if rule.question else ["Why"]
    assert set(required) <= set(headers)


@pytest.mark.parametrize("rule", RULES, **by_code)
def test_options_are_listed(rule: Rule) -> None:
    listed = "\n".join([f"Under `[tool.torchlint.rules.{rule.code}]`:", "", *described(rule)])
    assert sections(rule).get("Options", "").strip() == (listed if rule.options else "")


@pytest.mark.parametrize("rule", QUESTIONS, **by_code)
def test_both_sides_have_examples(rule: Rule) -> None:
    headers = {example.header for example in EXAMPLES if example.rule == rule}
    assert headers >= {"Bad", "Good"}


@pytest.mark.parametrize("example", EXAMPLES, **by_code)
def test_expectations_stand_where_they_belong(example: Example) -> None:
    codes = {mark.code for mark in parse_marks(example.text) if mark.kind == "expect"}
    if example.header == "Bad":
        assert codes == {example.rule.code}
    elif example.header == "Good":
        assert not codes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@cache
def lint(example: Example, folder: Path) -> tuple[Finding, ...]:
    """The findings in an example, as a file of its own."""
    file = folder / f"{example.label}.py"
    file.write_text(example.text, "utf-8")
    with chdir(folder):
        return check([file.name], Settings(level=Level.PEDANTIC)).findings


@pytest.mark.parametrize("example", EXAMPLES, **by_code)
def test_findings_equal_marks(example: Example, folder: Path) -> None:
    findings = lint(example, folder)
    file = folder / f"{example.label}.py"
    differs = differences(findings, [file], folder, example.rule.code)
    assert not differs, "\n".join(["", *differs])


ONLY = set(filter(None, os.environ.get("CONFIRM_ONLY", "").split(",")))
EXECUTED = [
    item
    for item in EXAMPLES
    if item.rule.question
    and item.header in ("Bad", "Good")
    and has_experiment(item.rule)
    and (not ONLY or item.rule.code in ONLY)
]


RUNNABLE = sorted({each.rule.code for each in EXECUTED})
USUAL = {*RUNNABLE[::3]} | ONLY
"""The rules whose examples run in the usual run; those of the others are slow."""


def parameters(items: list[Any]) -> list[object]:
    """Rules or examples for a test that executes them."""
    return [
        pytest.param(
            item, id=by_code["ids"](item), marks=[] if code in USUAL else [pytest.mark.slow]
        )
        for item in items
        for code in [item.code if isinstance(item, Rule) else item.rule.code]
    ]


def forced(example: Example) -> list[Finding]:
    """What would be found in a good example, were the mistake anywhere in it."""
    return everywhere(example.rule, f"{example.label}.py", example.text)


@pytest.fixture(scope="module")
def verdicts(to_judge: list[Any], folder: Path) -> dict[Example, list[Finding]]:
    """The verdicts on what is found in the bad examples, and on what is not in the good ones."""
    tested = {value.rule if isinstance(value, Example) else value for value in to_judge}
    asked = [
        (example, finding)
        for example in EXECUTED
        if example.rule in tested
        for found in [lint(example, folder)]
        for finding in (found if example.header == "Bad" else forced(example))
    ]
    with chdir(folder):
        settings = ConfirmSettings(python=sys.executable, jobs=2)
        judged = confirm([finding for _, finding in asked], settings)
    answers: dict[Example, list[Finding]] = {}
    for (example, _), answer in zip(asked, judged, strict=True):
        answers.setdefault(example, []).append(answer)
    return answers


@pytest.mark.torch
@pytest.mark.parametrize("example", parameters(EXECUTED))
def test_execution_confirms_the_bad_alone(
    example: Example, verdicts: dict[Example, list[Finding]]
) -> None:
    for finding in verdicts[example]:
        assert finding.verdict is not None
        status = finding.verdict.status
        # What needs a package, such as a framework whose loop it is, may be left open.
        may_be_open = status is Status.INCONCLUSIVE and NEEDS.search(example.text)
        confirmed = status is Status.CONFIRMED or (example.header == "Bad" and may_be_open)
        assert bool(confirmed) == (example.header == "Bad"), f"{finding.place}: {finding.verdict}"


# Rules whose examples take what the tests do not have.
UNTOLD = {
    "TL240": "the loop of Lightning's trainer is not run",
    "TL241": "what Accelerate leaves out depends on how it is launched",
    "TL616": "torchvision's transforms are what it is about",
    "TL813": "only a real accelerator can be behind the clock",
    "TL905": "torchvision's old names are what it is about",
}


def test_rules_that_are_confirmed_show_what_is_reported() -> None:
    shown = [rule for rule in QUESTIONS if has_experiment(rule)]
    untold = {rule.code for rule in shown if not TOLD.search(sections(rule)["Confirm"])}
    assert untold == UNTOLD.keys()


TELLING = [rule for rule in QUESTIONS if TOLD.search(sections(rule)["Confirm"])]


@pytest.mark.torch
@pytest.mark.parametrize("rule", parameters(TELLING))
def test_the_report_says_what_the_page_shows(
    rule: Rule, verdicts: dict[Example, list[Finding]]
) -> None:
    """Up to the numbers, which differ from one release of torch to the next."""
    examples = [each for each in EXECUTED if each.rule == rule and each.header == "Bad"]
    if not examples:
        pytest.skip("left out by CONFIRM_ONLY")
    said = {
        unnumbered(finding.verdict.evidence)
        for finding in verdicts[examples[0]]
        if finding.code == rule.code and finding.verdict
    }
    assert {unnumbered(told) for told in TOLD.findall(sections(rule)["Confirm"])} <= said


def unnumbered(told: str) -> str:
    """A text without its numbers, and without the word by which it was cut short."""
    return CUT.sub("…", NUMBER.sub("0", told))
