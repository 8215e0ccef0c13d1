"""Execution confirms what fires in ``fixtures/``, and never a corrected twin.

The usual run takes one case of each rule; ``-m "slow or not slow"`` takes all. All findings go
through one batch. A case whose verdict cannot be had says so: by ``# needs:`` and
a package that is not installed, or in ``unconfirmed.toml`` with the reason.

``CONFIRM_ONLY=TL101,TL201`` in the environment leaves it at these rules, which is quicker, and
``CONFIRM_DEVICE=cuda`` puts what is about devices to a real one.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tomllib
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest
from annotations import NEEDS
from cases import FIXTURES, Case, all_cases, has_experiment, lint, usual_first
from forcing import at_line

from torchlint.confirm import confirm
from torchlint.findings import Finding, Status
from torchlint.registry import rules
from torchlint.settings import ConfirmSettings

pytestmark = pytest.mark.torch

DEVICE = os.environ.get("CONFIRM_DEVICE", "cpu")
ONLY = set(filter(None, os.environ.get("CONFIRM_ONLY", "").split(",")))
CASES = [
    case
    for case in all_cases()
    if case.marks("expect", "noise", "fixed") and (not ONLY or case.rule in ONLY)
]
WITHOUT_DEVICE = ("only a real accelerator", "the simulated device")
UNCONFIRMED = {
    label: reason
    for label, reason in tomllib.loads(
        (Path(__file__).parent / "unconfirmed.toml").read_text("utf-8")
    ).items()
    if DEVICE == "cpu" or not reason.startswith(WITHOUT_DEVICE)
}
QUESTIONS = {code for code, rule in rules().items() if rule.question}
USUAL = len(CASES) if ONLY else 1
"""So many cases of each rule are run in the usual run."""

Batch = dict[Case, list[Finding]]


def reported(case: Case, kind: str) -> list[Finding]:
    """The findings of a case that stand at marks of a kind."""
    marked = {(file.resolve(), mark.line, mark.code) for file, mark in case.marks(kind)}
    return [
        finding
        for finding in lint(case).findings
        if finding.code in QUESTIONS
        and ((FIXTURES / finding.place.path).resolve(), finding.place.line, finding.code) in marked
    ]


def forced(case: Case) -> list[Finding]:
    """What the findings of a corrected twin would be, did its code still hold the mistake."""
    return [
        at_line(rules()[mark.code], path, file.read_text("utf-8"), mark.line)
        for file, mark in case.marks("fixed")
        for path in [file.relative_to(FIXTURES).as_posix()]
        if mark.code in QUESTIONS
    ]


@pytest.fixture(scope="module")
def verdicts(to_judge: list[Case]) -> dict[str, Batch]:
    """The findings of the tests that run, with their verdicts, by the kind of their marks."""
    asked = [
        (kind, case, finding)
        for case in CASES
        if case in to_judge
        for kind in ("expect", "noise", "fixed")
        for finding in (forced(case) if kind == "fixed" else reported(case, kind))
    ]
    settings = ConfirmSettings(python=sys.executable, device=DEVICE, jobs=2)
    with chdir(FIXTURES):
        judged = confirm([finding for _, _, finding in asked], settings)
    answers: dict[str, Batch] = {"expect": {}, "noise": {}, "fixed": {}}
    for (kind, case, asked_for), answer in zip(asked, judged, strict=True):
        assert replace(answer, verdict=None) == asked_for
        answers[kind].setdefault(case, []).append(answer)
    return answers


def with_marks(kind: str) -> list[Case]:
    return [case for case in CASES if any(mark.code in QUESTIONS for _, mark in case.marks(kind))]


def absent_packages(case: Case) -> list[str]:
    """The packages that the case needs and this environment has not."""
    needed = {name for file in case.files for name in NEEDS.findall(file.read_text("utf-8"))}
    return [name for name in sorted(needed) if importlib.util.find_spec(name) is None]


def test_experiments_do_not_fail_by_themselves(verdicts: dict[str, Batch]) -> None:
    """A verdict is inconclusive for what the code is, not for what the experiment cannot do."""
    judged = [item for kind in verdicts.values() for batch in kind.values() for item in batch]
    shown = [item for item in judged if has_experiment(rules()[item.code])]
    reasons = {f"{item.place}: {item.verdict.reason}" for item in shown if item.verdict}
    assert not [reason for reason in reasons if "the experiment failed" in reason]
    assert not [reason for reason in reasons if "has no experiment" in reason]


@pytest.mark.parametrize("case", usual_first(with_marks("expect"), USUAL))
def test_what_fires_is_confirmed(case: Case, verdicts: dict[str, Batch]) -> None:
    due = Status.CONFIRMED
    if case.label in UNCONFIRMED or absent_packages(case):
        due = Status.INCONCLUSIVE
    assert case in verdicts["expect"], "nothing is found"
    for finding in verdicts["expect"][case]:
        verdict = finding.verdict
        assert verdict is not None
        assert verdict.status == due, f"{finding.code} {finding.place}: {verdict}"
        assert verdict.evidence or verdict.reason


@pytest.mark.parametrize("case", usual_first(with_marks("fixed"), USUAL))
def test_a_corrected_twin_is_never_confirmed(case: Case, verdicts: dict[str, Batch]) -> None:
    for finding in verdicts["fixed"][case]:
        assert finding.verdict is not None
        assert finding.verdict.status != Status.CONFIRMED, f"{finding.place}: {finding.verdict}"


@pytest.mark.parametrize("case", usual_first(with_marks("noise"), USUAL))
def test_a_false_alarm_is_never_confirmed(case: Case, verdicts: dict[str, Batch]) -> None:
    for finding in verdicts["noise"].get(case, []):
        assert finding.verdict is not None
        assert finding.verdict.status != Status.CONFIRMED, f"{finding.place}: {finding.verdict}"


def test_what_cannot_be_confirmed_is_a_case_with_a_reason() -> None:
    labels = {case.label for case in with_marks("expect")}
    assert ONLY or labels >= UNCONFIRMED.keys()
    assert all(isinstance(reason, str) and len(reason) > 20 for reason in UNCONFIRMED.values())
