"""What edits of a text do to places in it."""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING

from torchlint.findings import Place
from torchlint.sources.edits import apply, span
from torchlint.sources.lines import starts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchlint.findings import Edit

__all__ = ["apply", "moved", "touch"]


def moved(place: Place, text: str, edits: Sequence[Edit]) -> Place:
    """Where the place has got to by the edits; one that an edit replaced becomes its text."""
    lines = starts(text)
    start, end = span(lines, place)
    first, last = start, end
    for edit in edits:
        begin, stop = span(lines, edit.place)
        growth = len(edit.text) - (stop - begin)
        if stop <= start and begin < end:
            first, last = first + growth, last + growth
        elif begin < end:
            last += growth
    edited = starts(apply(text, edits))
    line, column = _position(edited, first)
    end_line, end_column = _position(edited, max(first, last))
    return Place(place.path, line, column, end_line, end_column, place.cell)


def touch(one: Place, other: Place) -> bool:
    """Whether two places overlap or border on each other."""
    if one.unit != other.unit:
        return False
    return _start(one) <= _end(other) and _start(other) <= _end(one)


def _start(place: Place) -> tuple[int, int]:
    return place.line, place.column


def _end(place: Place) -> tuple[int, int]:
    return place.end_line, place.end_column


def _position(lines: list[int], offset: int) -> tuple[int, int]:
    line = bisect.bisect_right(lines, offset)
    return line, offset - lines[line - 1] + 1
