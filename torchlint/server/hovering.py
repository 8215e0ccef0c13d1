"""What an editor shows of a rule where its code or name is written, or where it has spoken."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol.types import Hover, MarkupContent, MarkupKind

from torchlint.pages import page
from torchlint.registry import PAGES, find, rules
from torchlint.sources.lines import split
from torchlint.sources.source import Source
from torchlint.sources.suppressions import suppressions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lsprotocol.types import Position

    from torchlint.findings import Place
    from torchlint.registry import Rule
    from torchlint.server.analysis import Analysis
    from torchlint.server.documents import Part
    from torchlint.server.positions import Ruler

_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)]+\.md)")


def hover(part: Part, position: Position, ruler: Ruler, analysis: Analysis | None) -> Hover | None:
    """The page of the rule that a suppression names at a position, or that speaks of it."""
    lines = split(part.text)
    line, column = ruler.spot(position, lines)
    for place, rule in (*_named(part.text), *_found(analysis, part.cell)):
        if place.line == line and _reaches(place, column):
            content = MarkupContent(MarkupKind.Markdown, _LINK.sub(rf"]({PAGES}/\1", page(rule)))
            return Hover(content, ruler.range(place, lines))
    return None


def _named(text: str) -> Iterator[tuple[Place, Rule]]:
    """The rules that suppressions name, and where."""
    for suppression in suppressions(Source("", Path(), text)):
        for selector in suppression.selectors:
            rule = find(selector.text)
            if rule is not None:
                yield selector.place, rule


def _found(analysis: Analysis | None, cell: int | None) -> Iterator[tuple[Place, Rule]]:
    for finding in analysis.findings if analysis is not None else ():
        if finding.place.cell == cell:
            yield finding.place, rules()[finding.code]


def _reaches(place: Place, column: int) -> bool:
    """Whether it lies there; of a place of several lines, the first alone counts."""
    return place.column <= column and (place.line < place.end_line or column < place.end_column)
