"""Fixes in rounds: as many as go together, then another look at what the code has become."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torchlint.applying.changes import apply, touch
from torchlint.findings import Finding, Report, Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torchlint.findings import Edit, Fix

    Texts = dict[str, str]

ROUNDS = 10
"""After so many rounds, fixes that call for more of them are left."""


@dataclass(slots=True)
class Fixed:
    """What came of it: a report on the code as it is now, and the texts that are no longer so.

    ``before`` are the texts of the same files as they were, ``findings`` those whose fixes were
    applied, and ``broken`` what is to be said of fixes that would leave no code, by fingerprint.
    """

    report: Report
    before: Texts = field(default_factory=dict)
    texts: Texts = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    broken: dict[str, Trouble] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def fix(lint: Callable[[Mapping[str, str]], Report], wanted: Callable[[Fix], bool]) -> Fixed:
    """Apply the wanted fixes until there are none; nothing is written.

    ``lint`` reports on the files with these texts in the place of their own.
    """
    fixed = Fixed(lint({}))
    for _ in range(ROUNDS):
        chosen = _chosen(fixed.report, wanted, fixed.broken)
        if not chosen:
            return fixed
        made = _made(fixed.report.texts, chosen, fixed.broken)
        for path in made.texts:
            fixed.before.setdefault(path, fixed.report.texts[path])
        fixed.findings += made.findings
        fixed.texts |= made.texts
        fixed.report = lint(fixed.texts)
    if _chosen(fixed.report, wanted, fixed.broken):
        fixed.warnings = (f"after {ROUNDS} rounds there is still more to fix; run it again",)
    return fixed


def _chosen(
    report: Report, wanted: Callable[[Fix], bool], broken: Mapping[str, Trouble]
) -> list[Finding]:
    """The findings whose fixes go together: of two that touch, the first is taken."""
    chosen = []
    taken: dict[str, list[Edit]] = defaultdict(list)
    for finding in report.findings:
        if finding.fix is None or not wanted(finding.fix) or finding.fingerprint in broken:
            continue
        edits = finding.fix.edits
        if all(_is_ours(edit, report, taken[edit.place.path]) for edit in edits):
            chosen.append(finding)
            for edit in edits:
                taken[edit.place.path].append(edit)
    return chosen


def _is_ours(edit: Edit, report: Report, taken: Sequence[Edit]) -> bool:
    """Whether the edit is in a file that was to be looked at, and free of those already taken."""
    place = edit.place
    ours = place.path in report.files and place.path in report.texts and place.cell is None
    return ours and not any(touch(place, other.place) for other in taken)


@dataclass(slots=True)
class _Made:
    """The texts that a round changes, and whose fixes it has applied."""

    texts: Texts = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def _made(texts: Mapping[str, str], chosen: list[Finding], broken: dict[str, Trouble]) -> _Made:
    """The round's texts; a fix after which a file would not parse is left out, and named."""
    made = _Made(_changed(texts, chosen), chosen)
    if not _unparsable(made.texts):
        return made
    made = _Made()
    for finding in chosen:
        changed = _changed(texts, [*made.findings, finding])
        wrong = _unparsable(changed)
        if wrong:
            broken[finding.fingerprint] = _blamed(finding, wrong)
        else:
            made = _Made(changed, [*made.findings, finding])
    return made


def _changed(texts: Mapping[str, str], findings: list[Finding]) -> Texts:
    edits: dict[str, list[Edit]] = defaultdict(list)
    for finding in findings:
        for edit in finding.fix.edits if finding.fix else ():
            edits[edit.place.path].append(edit)
    return {path: apply(texts[path], made) for path, made in edits.items()}


def _unparsable(texts: Texts) -> str:
    """The path of a text that Python's parser refuses, empty where it takes all."""
    for path, text in texts.items():
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return path
    return ""


def _blamed(finding: Finding, path: str) -> Trouble:
    message = (
        f"the fix of {finding.code} in line {finding.place.line} would leave code that Python "
        "cannot parse, and was not applied; please report this"
    )
    return Trouble(path, message, fatal=True)
