"""Lines of source as Python counts them, which is not as ``str.splitlines`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchlint.findings import Place

# A form feed or a Unicode line separator ends no line for Python.
_NEWLINE = Pattern(r"\r\n|\r|\n")


def split(text: str) -> list[str]:
    """The lines without their ends; a text that ends in a newline has an empty last one."""
    return _NEWLINE.split(text)


def starts(text: str) -> list[int]:
    """How many characters stand before each line."""
    return [0, *(match.end() for match in _NEWLINE.finditer(text))]


def newline(text: str, line: int) -> str:
    """What ends this line; for the last one, what ends the line before it."""
    ends = [match[0] for match in _NEWLINE.finditer(text)]
    return ends[min(line, len(ends)) - 1] if ends else "\n"


def between(lines: Sequence[str], place: Place) -> str:
    """The source at a place of the file that has these lines; what lies outside is left out."""
    taken = list(lines[place.line - 1 : place.end_line])
    if not taken:
        return ""
    if place.end_line <= len(lines):
        taken[-1] = taken[-1][: place.end_column - 1]
    taken[0] = taken[0][place.column - 1 :]
    return "\n".join(taken)
