"""Fixes in rounds: as many as go together, then another look at what the code has become."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.applying.changes import touch
from torchlint.findings import Finding, Trouble
from torchlint.frozen import dataclass
from torchlint.sources.reading import again
from torchlint.sources.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torchlint.findings import Edit, Place
    from torchlint.located import Look

    Texts = dict[str, str]

ROUNDS = 10
"""After so many rounds, fixes that call for more of them are left."""


@dataclass(slots=True)
class Fixed:
    """What came of it: a look at the code as it is now, and the texts that are no longer so.

    ``before`` are the texts of the same files as they were, ``findings`` those whose fixes were
    applied, and ``broken`` what is to be said of fixes that would leave no code, by fingerprint.
    ``enforced`` is what restrained the code that was run for the first of them.
    """

    look: Look
    enforced: tuple[str, ...] = ()
    before: Texts = field(default_factory=dict)
    texts: Texts = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    broken: dict[str, Trouble] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def fix(lint: Callable[[Mapping[str, str]], Look], wanted: Callable[[Finding], bool]) -> Fixed:
    """Apply the fixes of the findings that are wanted until there are none; nothing is written.

    ``lint`` looks at the files with these texts in the place of their own.
    """
    first = lint({})
    fixed = Fixed(first, first.report.enforced)
    for _ in range(ROUNDS):
        chosen = _chosen(fixed.look, wanted, fixed.broken)
        if not chosen:
            return fixed
        made = _made(fixed.look, chosen, fixed.broken)
        for path in made.texts:
            fixed.before.setdefault(path, fixed.look.sources[path].whole)
        fixed.findings += map(fixed.look.finding, made.findings)
        fixed.texts |= made.texts
        fixed.look = lint(fixed.texts)
    if _chosen(fixed.look, wanted, fixed.broken):
        fixed.warnings = (f"after {ROUNDS} rounds there is still more to fix; run it again",)
    return fixed


def _chosen(
    look: Look, wanted: Callable[[Finding], bool], broken: Mapping[str, Trouble]
) -> list[Finding]:
    """The findings whose fixes go together: of two that touch, the first is taken."""
    chosen = []
    taken: dict[str, list[Edit]] = defaultdict(list)
    for finding in look.report.findings:
        if finding.fix is None or not wanted(finding) or finding.fingerprint in broken:
            continue
        edits = finding.fix.edits
        if all(_is_ours(edit, look, taken[edit.place.path]) for edit in edits):
            chosen.append(finding)
            for edit in edits:
                taken[edit.place.path].append(edit)
    return chosen


def _is_ours(edit: Edit, look: Look, taken: Sequence[Edit]) -> bool:
    """Whether the edit is in a file that was to be looked at, and free of those already taken."""
    place = edit.place
    source = look.sources.get(place.path)
    ours = source is not None and source.reported
    return ours and not any(touch(place, other.place) for other in taken)


@dataclass(slots=True)
class _Made:
    """The texts that a round changes, and whose fixes it has applied."""

    texts: Texts = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def _made(look: Look, chosen: list[Finding], broken: dict[str, Trouble]) -> _Made:
    """The round's texts; a fix after which a file would not parse is left out, and named."""
    made = _Made(_changed(look, chosen), chosen)
    if not _unparsable(look, made.texts):
        return made
    made = _Made()
    for finding in chosen:
        changed = _changed(look, [*made.findings, finding])
        wrong = _unparsable(look, changed)
        if wrong:
            broken[finding.fingerprint] = _blamed(finding, look.place(finding.place), wrong)
        else:
            made = _Made(changed, [*made.findings, finding])
    return made


def _changed(look: Look, findings: list[Finding]) -> Texts:
    edits: dict[str, list[Edit]] = defaultdict(list)
    for finding in findings:
        for edit in finding.fix.edits if finding.fix else ():
            edits[edit.place.path].append(edit)
    return {path: look.sources[path].edited(made) for path, made in edits.items()}


def _unparsable(look: Look, texts: Texts) -> str:
    """The path of a text that is less readable than it was, empty where there is none."""
    return next((path for path in texts if not _parses(look.sources[path], texts[path])), "")


def _parses(source: Source, text: str) -> bool:
    """Whether Python's parser takes the text, or as many of its cells as before."""
    now = again(source, text)
    if not isinstance(now, Source) or _readable(now) < _readable(source):
        return False
    try:
        ast.parse(now.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _readable(source: Source) -> int:
    """How many cells Python's parser takes."""
    return len(source.cells.cells) - len(source.broken) if source.cells else 0


def _blamed(finding: Finding, place: Place, path: str) -> Trouble:
    where = "" if place.cell is None else f"cell {place.cell}, "
    message = (
        f"the fix of {finding.code} in {where}line {place.line} would leave code that Python "
        "cannot parse, and was not applied; please report this"
    )
    return Trouble(path, message, fatal=True)
