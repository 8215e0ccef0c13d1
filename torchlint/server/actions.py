"""What an editor offers to do about findings: repair them, all of them, or suppress them."""

from __future__ import annotations

import difflib
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    Position,
    Range,
    TextEdit,
)

from torchlint import ignoring
from torchlint.findings import Edit, Safety
from torchlint.frozen import dataclass, replace
from torchlint.sources.lines import starts
from torchlint.sources.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lsprotocol.types import WorkspaceEdit

    from torchlint.findings import Finding, Fix
    from torchlint.server.diagnostics import View
    from torchlint.server.positions import Ruler

FIX_ALL = f"{CodeActionKind.SourceFixAll.value}.torchlint"


@dataclass(frozen=True, slots=True)
class Actions:
    """The actions for one text; ``edit`` makes of edits what the editor takes."""

    view: View
    cell: int | None
    edit: Callable[[dict[str, list[TextEdit]]], WorkspaceEdit]

    def within(self, wanted: Range, only: Sequence[str] | None) -> Iterator[CodeAction]:
        """What can be done about the findings that touch a range, by kinds that are asked for."""
        if not asks_for(CodeActionKind.QuickFix.value, only):
            return
        touched = [each for each in self.view.analysis.findings if self._touches(each, wanted)]
        for finding in touched:
            if finding.fix is not None:
                yield self._repair(finding, finding.fix)
        for finding in touched:
            yield from self._suppression(finding)

    def _touches(self, finding: Finding, wanted: Range) -> bool:
        if finding.place.cell != self.cell:
            return False
        own = self.view.range(finding.place)
        return _key(own.start) <= _key(wanted.end) and _key(wanted.start) <= _key(own.end)

    def _repair(self, finding: Finding, fix: Fix) -> CodeAction:
        is_safe = fix.safety is Safety.SAFE
        caution = "" if is_safe else ", which changes what is computed"
        return CodeAction(
            title=f"{fix.title} ({finding.code}{caution})",
            kind=CodeActionKind.QuickFix,
            diagnostics=[self.view.diagnostic(finding)],
            is_preferred=is_safe,
            edit=self._edit(fix.edits),
        )

    def _suppression(self, finding: Finding) -> Iterator[CodeAction]:
        place = finding.place
        analysis = self.view.analysis
        text = analysis.texts.get(analysis.file(place.unit), "")
        made = ignoring.comments([finding], Source(place.path, Path(place.path), text))
        edits = [Edit(replace(each.place, cell=place.cell), each.text) for each in made]
        if edits:
            yield CodeAction(
                title=f"Ignore {finding.code} ({finding.name}) here",
                kind=CodeActionKind.QuickFix,
                diagnostics=[self.view.diagnostic(finding)],
                is_preferred=False,
                edit=self._edit(edits),
            )

    def _edit(self, edits: Iterable[Edit]) -> WorkspaceEdit:
        changes: dict[str, list[TextEdit]] = {}
        for edit in edits:
            location = self.view.location(edit.place)
            changes.setdefault(location.uri, []).append(TextEdit(location.range, edit.text))
        return self.edit(changes)


def asks_for(kind: str, only: Sequence[str] | None) -> bool:
    """Whether an editor that wants only some kinds of actions wants one of this kind."""
    return only is None or any(kind == each or kind.startswith(f"{each}.") for each in only)


def differences(before: str, after: str, ruler: Ruler) -> list[TextEdit]:
    """The edits that make one text of another, line by line, so that what stays is not touched."""
    old, new = _pieces(before), _pieces(after)

    def at(index: int) -> Position:
        inside = index < len(old)
        return Position(index, 0) if inside else Position(index - 1, ruler.units(old[-1]))

    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        TextEdit(Range(at(start), at(end)), "".join(new[first:last]))
        for what, start, end, first, last in matcher.get_opcodes()
        if what != "equal"
    ]


def _pieces(text: str) -> list[str]:
    """The lines with their ends; the last one has none, and may be empty."""
    return [text[start:end] for start, end in pairwise([*starts(text), len(text)])]


def _key(position: Position) -> tuple[int, int]:
    return position.line, position.character
