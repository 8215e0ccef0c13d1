"""Which rules run, and which of their findings show."""

from __future__ import annotations

import pytest

from torchlint.findings import Finding, Level, Place
from torchlint.registry import find, rules
from torchlint.selection import Standing, complaints, enabled_rules, is_enabled, standing
from torchlint.settings import Settings


def on(code: str, select: str = "", ignore: str = "") -> bool:
    rule = find(code)
    assert rule is not None
    return is_enabled(rule, Settings(tuple(select.split()), tuple(ignore.split())))


def test_all_rules_run_by_default() -> None:
    assert enabled_rules([Settings()]) == tuple(rules().values())


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        ("TL003", "", True),
        ("tl003", "", True),
        ("unknown-suppression", "", True),
        ("TL0", "", True),
        ("ALL", "", True),
        ("TL002", "", False),
        ("", "TL003", False),
        ("", "TL00", False),
        ("", "ALL", False),
        ("TL003", "TL0", True),
        ("TL0", "TL003", False),
        ("unknown-suppression", "ALL", True),
        ("TL00", "TL0", True),
        ("TL0", "TL00", False),
        ("TL003", "TL003", False),
        ("TL003", "unknown-suppression", False),
    ],
)
def test_the_more_specific_selector_wins(select: str, ignore: str, expected: bool) -> None:
    assert on("TL003", select, ignore) is expected


def test_failures_show_whatever_is_selected() -> None:
    assert on("TL000", select="TL003")
    assert on("TL001", select="TL003")
    assert not on("TL001", ignore="TL001")


def finding(code: str, level: Level) -> Finding:
    return Finding(code, rules()[code].name, level, "", Place("a.py", 1, 1, 1, 2))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(), Standing.HIDDEN),
        (Settings(level=Level.PEDANTIC), Standing.SHOWN),
        (Settings(select=("TL003",)), Standing.SHOWN),
        (Settings(select=("Unknown-Suppression",)), Standing.SHOWN),
        (Settings(select=("TL00",)), Standing.HIDDEN),
        (Settings(select=("ALL",)), Standing.HIDDEN),
        (Settings(select=("TL002",)), Standing.OFF),
        (Settings(ignore=("TL003",), level=Level.PEDANTIC), Standing.OFF),
    ],
)
def test_a_pedantic_finding_shows_when_asked_for(settings: Settings, expected: Standing) -> None:
    assert standing(finding("TL003", Level.PEDANTIC), settings) is expected


def test_the_level_is_the_findings_own() -> None:
    assert standing(finding("TL002", Level.SUSPICIOUS), Settings()) is Standing.SHOWN
    assert standing(finding("TL003", Level.SUSPICIOUS), Settings()) is Standing.SHOWN


@pytest.mark.parametrize(
    ("selector", "nearest"),
    [
        ("TL0003", "TL003 (unknown-suppression)"),
        ("unknown-supression", "TL003 (unknown-suppression)"),
        ("sintax-error", "TL001 (syntax-error)"),
    ],
)
def test_an_unknown_selector_gets_the_nearest_rule(selector: str, nearest: str) -> None:
    (message,) = complaints(Settings(select=("TL001",), ignore=(selector,)))
    assert message == (
        f"'{selector}' in --ignore is no rule, prefix of codes, level or ALL; "
        f"did you mean {nearest}?"
    )


def test_a_selector_like_no_rule_gets_no_suggestion() -> None:
    (message,) = complaints(Settings(select=("Q",)))
    assert message == "'Q' in --select is no rule, prefix of codes, level or ALL."


def test_an_empty_selector_is_unknown() -> None:
    assert complaints(Settings(select=("",)))


def test_a_version_that_is_none_is_complained_of() -> None:
    (sentence,) = complaints(Settings(torch_version="newest"))
    assert sentence.startswith("--torch-version: 'newest' is no version")
    assert not complaints(Settings(torch_version=">=2.1,<2.6"))
