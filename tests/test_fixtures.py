"""Each case in ``fixtures/`` has the findings that its marks call for, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import FIXTURES, Case, all_cases, differences, lint

from torchlint.api import check
from torchlint.findings import Level
from torchlint.registry import Rule, rules
from torchlint.settings import Settings

CASES = all_cases()
KINDS = {"fires", "silent", "fixed", "known"}
QUESTIONS = [rule for rule in rules().values() if rule.question]
ENOUGH = 6


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_findings_equal_marks(case: Case) -> None:
    report = lint(case)
    differs = differences(report.findings, case.files, FIXTURES, case.rule)
    assert not differs, "\n".join(["", *differs])
    if "run" not in case.path.relative_to(FIXTURES).parts:
        assert not report.troubles


def test_paths_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings are the same from another working directory, but for how they name the file."""
    case = next(case for case in CASES if case.kind == "fires")
    near = lint(case).findings
    monkeypatch.chdir(tmp_path)
    far = check([str(case.path)], Settings(level=Level.PEDANTIC)).findings
    assert [(item.code, item.place.line) for item in near] == [
        (item.code, item.place.line) for item in far
    ]
    assert near


def of_rule(rule: Rule, kind: str) -> list[Case]:
    return [case for case in CASES if case.rule == rule.code and case.kind == kind]


@pytest.mark.parametrize("rule", QUESTIONS, ids=lambda rule: rule.code)
def test_enough_cases_fire(rule: Rule) -> None:
    firing = of_rule(rule, "fires")
    assert len(firing) >= ENOUGH
    for case in firing:
        assert rule.code in {mark.code for _, mark in case.marks("expect")}, case.label


@pytest.mark.parametrize("rule", QUESTIONS, ids=lambda rule: rule.code)
def test_enough_cases_are_silent(rule: Rule) -> None:
    silent = of_rule(rule, "silent")
    assert len(silent) >= ENOUGH
    for case in silent:
        assert rule.code not in {mark.code for _, mark in case.marks("expect")}, case.label


FIRING = [case for case in CASES if case.kind == "fires" and case.rule]


@pytest.mark.parametrize("case", FIRING, ids=lambda case: case.label)
def test_firing_cases_have_a_corrected_twin(case: Case) -> None:
    assert case.twin.path.exists()
    wrong = {mark.code for _, mark in case.marks("expect")}
    fixed = {mark.code for _, mark in case.twin.marks("fixed")}
    assert case.rule in fixed <= wrong
    assert case.rule not in {mark.code for _, mark in case.twin.marks("expect", "noise")}


def test_every_case_is_of_a_known_kind() -> None:
    odd = [case.label for case in CASES if case.rule and case.kind not in KINDS]
    assert not odd
