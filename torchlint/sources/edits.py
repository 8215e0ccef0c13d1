"""Edits made in a text: the one place that turns lines and columns into what is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.sources.lines import starts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torchlint.findings import Edit, Place


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with the edits made, which do not overlap; all that is between them stays."""
    lines, pieces, done = starts(text), [], 0
    for edit in sorted(edits, key=lambda edit: edit.place):
        start, end = span(lines, edit.place)
        pieces += [text[done:start], edit.text]
        done = end
    return "".join([*pieces, text[done:]])


def span(begins: Sequence[int], place: Place) -> tuple[int, int]:
    """The characters of a place in the text whose lines begin there."""
    start = begins[place.line - 1] + place.column - 1
    return start, begins[place.end_line - 1] + place.end_column - 1
