"""What a run is asked to do, and what of its findings that shows."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from enum import StrEnum

from torchlint.findings import Finding, Level
from torchlint.registry import Rule, rules
from torchlint.releases import Releases, parse

ALL = "ALL"
_EXACT = 100

# A file that cannot be analysed concerns whoever runs any rule, so these need no selection.
_UNSELECTED = frozenset({"TL000", "TL001"})


@dataclass(frozen=True, slots=True)
class Settings:
    """Which rules run. Selectors are codes, prefixes of codes, names, or ``ALL``.

    The more specific selector wins, whichever list it is in; among equals ``ignore`` does. An empty
    ``select`` means all rules. Pedantic findings show with ``pedantic``, or where their rule is
    selected by its whole code or its name. ``torch_version`` is a version of torch or a range of
    them, such as ``>=2.1,<2.6``; empty, the files of the project say which it supports.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    pedantic: bool = False
    torch_version: str = ""

    @property
    def torch(self) -> Releases | None:
        """The releases of torch that are set; ValueError where they are misspelt."""
        return parse(self.torch_version, "--torch-version") if self.torch_version else None


@dataclass(frozen=True, slots=True)
class ConfirmSettings:
    """How findings are executed: the interpreter, the device, the time for each, how many at once.

    ``seconds`` is the time that one experiment may take.
    """

    python: str
    device: str = "cpu"
    seconds: float = 30.0
    jobs: int = max(1, (os.cpu_count() or 2) // 2)


class Standing(StrEnum):
    """What becomes of a finding under some settings."""

    SHOWN = "shown"
    HIDDEN = "hidden"
    OFF = "off"


def enabled_rules(settings: Settings) -> tuple[Rule, ...]:
    """The rules that run; a pedantic one does, so that its hidden findings can be counted."""
    return tuple(rule for rule in rules().values() if is_enabled(rule, settings))


def is_enabled(rule: Rule, settings: Settings) -> bool:
    """Whether the selectors leave the rule on."""
    return _selected(rule, settings) > _specificity(rule, settings.ignore)


def standing(finding: Finding, settings: Settings) -> Standing:
    """Whether the finding is shown, hidden because it is pedantic, or of a rule that is off."""
    rule = rules()[finding.code]
    if not is_enabled(rule, settings):
        return Standing.OFF
    asked_for = settings.pedantic or _selected(rule, settings) == _EXACT
    return Standing.HIDDEN if finding.level is Level.PEDANTIC and not asked_for else Standing.SHOWN


def complaints(settings: Settings) -> tuple[str, ...]:
    """A sentence for each setting that means nothing, with the nearest that does."""
    wrong = tuple(
        f"{selector!r} in {option} is no rule, prefix of codes or ALL{suggestion(selector)}"
        for option, selectors in (("--select", settings.select), ("--ignore", settings.ignore))
        for selector in selectors
        if all(_match(rule, selector) < 0 for rule in rules().values())
    )
    try:
        settings.torch  # noqa: B018
    except ValueError as error:
        return (*wrong, f"--torch-version: {error}, such as 2.4 or >=2.1,<2.6.")
    return wrong


def suggestion(selector: str) -> str:
    """``; did you mean …?`` with the rule nearest to what was written, else a full stop."""
    spelled = {spelling.lower(): rule for rule in rules().values() for spelling in _spellings(rule)}
    near = difflib.get_close_matches(selector.lower(), spelled, n=1, cutoff=0.5)
    return f"; did you mean {spelled[near[0]].code} ({spelled[near[0]].name})?" if near else "."


def _selected(rule: Rule, settings: Settings) -> int:
    by_default = 0 if not settings.select or rule.code in _UNSELECTED else -1
    return max(by_default, _specificity(rule, settings.select))


def _specificity(rule: Rule, selectors: tuple[str, ...]) -> int:
    return max((_match(rule, selector) for selector in selectors), default=-1)


def _match(rule: Rule, selector: str) -> int:
    """How specifically the selector means the rule; -1 where it does not."""
    upper = selector.upper()
    if upper == rule.code or selector.lower() == rule.name:
        return _EXACT
    if upper == ALL:
        return 0
    return len(upper) if upper and rule.code.startswith(upper) else -1


def _spellings(rule: Rule) -> tuple[str, str]:
    return rule.code, rule.name
