"""Applies suppression comments to findings, and reports those that are unused or unknown."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.findings import Finding, Fix, Safety
from torchlint.frozen import dataclass
from torchlint.registry import Rule, find, rules
from torchlint.selection import is_enabled, suggestion
from torchlint.sources.suppressions import concerns, suppressions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.findings import Place
    from torchlint.settings import Settings, SettingsOf
    from torchlint.sources.source import Source
    from torchlint.sources.suppressions import Selector, Suppression

FAILURES = frozenset({"TL000", "TL001"})
_UNUSED = "TL002"
_UNKNOWN = "TL003"


def suppress(
    findings: Iterable[Finding], sources: Iterable[Source], settings: SettingsOf
) -> list[Finding]:
    """The findings that no comment suppresses, and what there is to say of the comments."""
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_path[finding.place.path].append(finding)
    for source in sources:
        own = by_path.get(source.path, [])
        if source.reported and settings.of(source.file).ignore_suppressions:
            continue
        if source.reported and concerns(source, has_findings=bool(own)):
            comments = suppressions(source)
            by_path[source.path] = list(
                _Comments(comments, settings.of(source.file)).applied_to(own)
            )
    return [finding for own in by_path.values() for finding in own]


@dataclass(slots=True)
class _Comments:
    """The suppressions of one file, and which of their selectors had something to suppress."""

    suppressions: list[Suppression]
    settings: Settings
    used: set[Selector] = field(default_factory=set)

    def applied_to(self, findings: list[Finding]) -> Iterator[Finding]:
        """What is left of the findings, then what the comments themselves give rise to."""
        for finding in (*findings, *self._unknown()):
            if not self._suppresses(finding):
                yield finding
        # In a file that could not be analysed, nothing is known of what would be suppressed.
        if not any(finding.code in FAILURES for finding in findings):
            yield from (finding for finding in self._unused() if not self._suppresses(finding))

    def _suppresses(self, finding: Finding) -> bool:
        acting = [each for each in self.suppressions if each.covers(finding.place)]
        meant = {
            selector
            for suppression in acting
            for selector in suppression.selectors
            if _means(selector, finding)
        }
        self.used |= meant
        return bool(meant) or any(suppression.blanket for suppression in acting)

    def _unknown(self) -> Iterator[Finding]:
        for suppression in self.suppressions:
            for selector in suppression.selectors:
                if find(selector.text) is None:
                    message = f"`{selector.text}` is no rule{suggestion(selector.text)}"
                    yield _finding(_UNKNOWN, selector.place, message.rstrip("."))
            if suppression.stray:
                message = "nothing is off here that this could turn on"
                yield _finding(_UNKNOWN, suppression.place, message)
            elif not (suppression.selectors or suppression.listed_text or suppression.blanket):
                message = "name what is to be ignored: `# torchlint: ignore[TL301]`"
                yield _finding(_UNKNOWN, suppression.place, message)
            elif self._is_unexplained(suppression):
                message = "say why, after the list: `require-reason` asks for it"
                yield _finding(_UNKNOWN, suppression.place, message)

    def _is_unexplained(self, suppression: Suppression) -> bool:
        required = self.settings.require_reason and suppression.selectors
        return bool(required) and not suppression.reason

    def _unused(self) -> Iterator[Finding]:
        for suppression in self.suppressions:
            unused = [each for each in suppression.selectors if self._is_unused(each)]
            if unused:
                names = " and ".join(f"`{selector.text}`" for selector in unused)
                verb = "suppresses" if len(unused) == 1 else "suppress"
                edits = suppression.without(set(unused))
                fix = Fix("Remove what is unused of the suppression", Safety.SAFE, edits)
                message = f"{names} {verb} nothing here"
                yield _finding(_UNUSED, suppression.place, message, fix)

    def _is_unused(self, selector: Selector) -> bool:
        """Only a rule that ran can have found nothing; TL002 itself is never unused."""
        rule = find(selector.text)
        ran = rule is not None and rule.code != _UNUSED and is_enabled(rule, self.settings)
        return ran and selector not in self.used


def _means(selector: Selector, finding: Finding) -> bool:
    return selector.text.upper() == finding.code or selector.text.lower() == finding.name


def _finding(code: str, place: Place, message: str, fix: Fix | None = None) -> Finding:
    rule: Rule = rules()[code]
    return Finding(code, rule.name, rule.level, message, place, fix=fix)
