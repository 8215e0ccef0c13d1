"""A line of source as a terminal shows it: tabs widened, wide characters counted."""

from __future__ import annotations

from functools import cached_property

from rich.cells import cell_len

from torchlint.frozen import dataclass

TAB = 4
_ELLIPSIS = "…"

# Characters that change the direction of what follows, so that code is not what it seems.
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True)
class Cells:
    """The line ``text``, without its end."""

    text: str

    @cached_property
    def shown(self) -> str:
        """The whole line as it is shown."""
        return _expand(self.text)

    def at(self, column: int) -> int:
        """How many cells lie before a column, which counts code points from 1."""
        return cell_len(_expand(self.text[: column - 1]))

    @property
    def indent(self) -> int:
        """How many blank cells the line starts with."""
        return len(self.shown) - len(self.shown.lstrip(" "))

    def window(self, left: int, width: int | None) -> str:
        """The cells from ``left`` on, as many as fit; an ellipsis stands for code that does not."""
        shown = self.shown
        if left:
            begins_blank = not shown[:left].strip()
            shown = _drop(shown, left) if begins_blank else _ELLIPSIS + _drop(shown, left + 1)
        if width is not None and cell_len(shown) > width:
            shown = _keep(shown, width - 1) + _ELLIPSIS
        return shown


def _expand(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    shown = ""
    for character in text:
        shown += " " * (TAB - cell_len(shown) % TAB) if character == "\t" else tame(character)
    return shown


def tame(character: str) -> str:
    """The character, or one that stands for it where it would command what shows it."""
    number = ord(character)
    if number < 0x20:
        return chr(0x2400 + number)
    if 0x7F <= number < 0xA0 or character in _DIRECTIONS:
        return "\N{REPLACEMENT CHARACTER}"
    return character


def _keep(text: str, width: int) -> str:
    """As much of the text as fits into so many cells."""
    end = len(text)
    while cell_len(text[:end]) > width:
        end -= 1
    return text[:end]


def _drop(text: str, width: int) -> str:
    """The text without so many cells; half a wide character becomes a blank."""
    start = 0
    while start < len(text) and cell_len(text[:start]) < width:
        start += 1
    return " " * (cell_len(text[:start]) - width) + text[start:]
