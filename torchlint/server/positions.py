"""Places as torchlint has them, and positions as an editor counts them: from 0, in its units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import Position, Range

from torchlint.frozen import dataclass
from torchlint.sources.lines import split, starts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchlint.findings import Place

_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass(frozen=True, slots=True)
class Ruler:
    """Measures text in the units that client and server have agreed on."""

    encoding: str = "utf-16"

    def units(self, text: str) -> int:
        """How many units long the text is."""
        if text.isascii():
            return len(text)
        codec, width = _CODECS[self.encoding]
        return len(text.encode(codec, "surrogatepass")) // width

    def characters(self, line: str, units: int) -> int:
        """How many characters of the line lie before so many units; at most all."""
        if line.isascii():
            return min(units, len(line))
        for column, character in enumerate(line):
            if units <= 0:
                return column
            units -= self.units(character)
        return len(line)

    def range(self, place: Place, lines: Sequence[str]) -> Range:
        """The range of a place in the text of these lines."""
        return Range(
            self._position(place.line, place.column, lines),
            self._position(place.end_line, place.end_column, lines),
        )

    def _position(self, line: int, column: int, lines: Sequence[str]) -> Position:
        text = lines[line - 1] if line <= len(lines) else ""
        return Position(line - 1, self.units(text[: column - 1]))

    def spot(self, position: Position, lines: Sequence[str]) -> tuple[int, int]:
        """Line and column of a position."""
        line = lines[position.line] if position.line < len(lines) else ""
        return position.line + 1, self.characters(line, position.character) + 1

    def edited(self, text: str, replaced: Range, new: str) -> str:
        """The text with another in the place of a range."""
        lines, before = split(text), starts(text)

        def offset(position: Position) -> int:
            if position.line >= len(lines):
                return len(text)
            return before[position.line] + self.characters(lines[position.line], position.character)

        return text[: offset(replaced.start)] + new + text[offset(replaced.end) :]
