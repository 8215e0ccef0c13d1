"""Which rules run, what of their findings shows, and how grave it is."""

from __future__ import annotations

import difflib
from enum import StrEnum
from typing import TYPE_CHECKING

from torchlint.findings import Finding, Level, Safety
from torchlint.frozen import replace
from torchlint.registry import Rule, rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.findings import Fix, Severity
    from torchlint.settings import Settings

ALL = "ALL"
_EXACT = 100

# A level says as much as the letters that all codes begin with, and less than a digit of a code.
_BY_LEVEL = 2

# A file that cannot be analysed concerns whoever runs any rule, so these need no selection.
_UNSELECTED = frozenset({"TL000", "TL001"})

_ORDER = list(Level)
_LEVELS = frozenset(Level)


class Standing(StrEnum):
    """What becomes of a finding under some settings."""

    SHOWN = "shown"
    HIDDEN = "hidden"
    OFF = "off"


def enabled_rules(settings: Iterable[Settings]) -> tuple[Rule, ...]:
    """The rules that run under any of the settings; a hidden one does, so that it is counted."""
    distinct = set(settings)
    enabled = []
    for rule in rules().values():
        where = [each for each in distinct if is_enabled(rule, each)]
        if where:
            shown = {level for level in Level for each in where if _shows(rule, level, each)}
            enabled.append(replace(rule, mended=frozenset(shown)))
    return tuple(enabled)


def is_enabled(rule: Rule, settings: Settings) -> bool:
    """Whether the selectors leave the rule on; what is off for a file is off for good."""
    ignored = _specificity(rule, (*settings.ignore, *settings.extend_ignore))
    return _selected(rule, settings) > ignored and _specificity(rule, settings.off) < 0


def standing(finding: Finding, settings: Settings) -> Standing:
    """Whether the finding is shown, hidden as it is not sure enough, or of a rule that is off."""
    rule = rules()[finding.code]
    if not is_enabled(rule, settings) or not _is_wanted(finding, rule, settings):
        return Standing.OFF
    return Standing.SHOWN if _shows(rule, finding.level, settings) else Standing.HIDDEN


def _shows(rule: Rule, level: Level, settings: Settings) -> bool:
    """Whether findings of a rule that is on are sure enough at a level, or asked for by name."""
    if _ORDER.index(level) <= _ORDER.index(settings.level):
        return True
    selectors = (*settings.select, *settings.extend_select)
    named = any(selector.lower() == level for selector in selectors)
    return named or _selected(rule, settings) == _EXACT


def _is_wanted(finding: Finding, rule: Rule, settings: Settings) -> bool:
    """Whether it stands by the options of its rule."""
    facts = dict(finding.about)
    return all(
        option.stands(settings.of_rule(rule.code, option.name, option.default), facts[option.name])
        for option in rule.options
        if option.name in facts
    )


def severity(finding: Finding, settings: Settings) -> Severity | None:
    """What the settings make of the finding, if they say anything; the later of equals counts."""
    rule = rules()[finding.code]
    ranked = [(_match(rule, selector), chosen) for selector, chosen in settings.severity]
    best = max((rank for rank, _ in ranked), default=-1)
    return None if best < 0 else [chosen for rank, chosen in ranked if rank == best][-1]


def repair(finding: Finding, settings: Settings) -> Fix | None:
    """The finding's fix as the settings have it: none, or as safe as they take it for."""
    rule, fix = rules()[finding.code], finding.fix
    if fix is None:
        return None
    barred = _specificity(rule, settings.unfixable)
    if _specificity(rule, settings.fixable) <= barred:
        return None
    safe = _specificity(rule, settings.extend_safe_fixes)
    unsafe = _specificity(rule, settings.extend_unsafe_fixes)
    if max(safe, unsafe) < 0:
        return fix
    return replace(fix, safety=Safety.SAFE if safe > unsafe else Safety.UNSAFE)


def complaints(settings: Settings) -> tuple[str, ...]:
    """A sentence for each setting that means nothing, with the nearest that does."""
    lists = (
        ("select", settings.select),
        ("extend-select", settings.extend_select),
        ("ignore", settings.ignore),
        ("extend-ignore", settings.extend_ignore),
        ("fixable", settings.fixable),
        ("unfixable", settings.unfixable),
        ("extend-safe-fixes", settings.extend_safe_fixes),
        ("extend-unsafe-fixes", settings.extend_unsafe_fixes),
    )
    wrong = [
        sentence
        for option, selectors in lists
        for selector in selectors
        if (sentence := complaint(selector, f"--{option}"))
    ]
    try:
        settings.torch  # noqa: B018
    except ValueError as error:
        wrong.append(f"--torch-version: {error}, such as 2.4 or >=2.1,<2.6.")
    return tuple(wrong)


def complaint(selector: str, option: str) -> str:
    """What is wrong with a selector that stands in an option; empty if it means a rule."""
    if any(_match(rule, selector) >= 0 for rule in rules().values()):
        return ""
    kinds = "rule, prefix of codes, level or ALL"
    return f"{selector!r} in {option} is no {kinds}{suggestion(selector)}"


def suggestion(selector: str) -> str:
    """``; did you mean …?`` with the rule nearest to what was written, else a full stop."""
    spelled = {spelling.lower(): rule for rule in rules().values() for spelling in _spellings(rule)}
    near = difflib.get_close_matches(selector.lower(), [*spelled, *_LEVELS], n=1, cutoff=0.5)
    if not near:
        return "."
    rule = spelled.get(near[0])
    return f"; did you mean {f'{rule.code} ({rule.name})' if rule else near[0]}?"


def _selected(rule: Rule, settings: Settings) -> int:
    by_default = 0 if not settings.select or rule.code in _UNSELECTED else -1
    return max(by_default, _specificity(rule, (*settings.select, *settings.extend_select)))


def _specificity(rule: Rule, selectors: tuple[str, ...]) -> int:
    return max((_match(rule, selector) for selector in selectors), default=-1)


def _match(rule: Rule, selector: str) -> int:
    """How specifically the selector means the rule; -1 where it does not."""
    upper, lower = selector.upper(), selector.lower()
    if upper == rule.code or lower == rule.name:
        return _EXACT
    if upper == ALL:
        return 0
    if lower in _LEVELS:
        return _BY_LEVEL if lower == rule.level else -1
    return len(upper) if upper and rule.code.startswith(upper) else -1


def _spellings(rule: Rule) -> tuple[str, str]:
    return rule.code, rule.name
