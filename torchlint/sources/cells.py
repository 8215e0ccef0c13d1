"""Code in a file that holds more than code: where in it the lines of the code stand.

What analyses code sees one text and its lines. What readers see are the cells of a notebook, or
lines of Markdown; here alone the one becomes the other.
"""

from __future__ import annotations

import bisect
from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.findings import Edit, Place
from torchlint.frozen import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

BORDER = "# %%"
"""The line of the code that follows a cell."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Lines of code that stand together.

    They are ``lengths`` long, begin in line ``first`` of the code, and are known to readers as
    ``line`` and following of the cell ``number`` (None: of the file). ``margins`` stand before
    their code, ``newline`` ends them. ``others`` are the lines of the code in which something
    stands in for what is not Python.
    """

    first: int
    lengths: tuple[int, ...]
    number: int | None = None
    line: int = 1
    margins: tuple[str, ...] = ()
    newline: str = "\n"
    others: frozenset[int] = frozenset()

    @property
    def last(self) -> int:
        """The last of its lines in the code."""
        return self.first + len(self.lengths) - 1

    def end(self, line: int) -> int:
        """The column after the last of a line."""
        return self.lengths[line - self.first] + 1

    def margin(self, line: int) -> str:
        """What stands before the code of a line."""
        return self.margins[line - self.first] if self.margins else ""

    def located(self, place: Place) -> Place:
        """A place of the code as readers know it; what lies beyond the cell's end is there."""
        line, column = self._position(place.line, place.column)
        end_line, end_column = self._position(place.end_line, place.end_column)
        return Place(place.path, line, column, end_line, end_column, self.number)

    def _position(self, line: int, column: int) -> tuple[int, int]:
        if line > self.last:
            line, column = self.last, self.end(self.last)
        return line - self.first + self.line, column + len(self.margin(line))


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a file, in order.

    ``whole`` is the text of the file, ``texts`` what readers see of it, by cell; ``written`` makes
    edits of these in the text of the file, and ``rows`` gives the lines of it in which the lines of
    a notebook's cells are.
    """

    whole: str = field(repr=False)
    cells: tuple[Cell, ...]
    texts: Mapping[int | None, str] = field(repr=False)
    written: Callable[[str, Sequence[Edit]], str] = field(repr=False)
    rows: Callable[[str], Mapping[int, Sequence[int]]] | None = None

    def until(self, code: str, line: int) -> str:
        """The code up to the end of the cell of a line."""
        cell = self._at(line)
        lines = code.split("\n")
        return "".join(f"{each}\n" for each in lines[: cell.last if cell else 0])

    def place(self, place: Place) -> Place:
        """Where a place of the code is for readers."""
        cell = self._at(place.line)
        if cell is None:
            return Place(place.path, 1, 1, 1, 1)
        located = cell.located(place)
        if cell.number is None or self.rows is None:
            return located
        rows = self.rows(self.whole).get(cell.number, ())
        return replace(located, row=rows[located.line - 1] if located.line <= len(rows) else None)

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...] | None:
        """Edits of the code as readers know them; None where one of them cannot be made.

        That is so where it goes from one cell into another, or into what is not Python.
        """
        made = []
        for edit in edits:
            cell = self._at(edit.place.line)
            if cell is None or not _is_in(cell, edit.place):
                return None
            made.append(_located(cell, _within(cell, edit)))
        return tuple(made)

    def edited(self, edits: Iterable[Edit]) -> str:
        """The text of the file with edits of the code made, all of which can be."""
        made = self.edits(edits)
        assert made is not None
        return self.written(self.whole, made)

    def _at(self, line: int) -> Cell | None:
        """The cell of a line of the code, or the one before it."""
        index = bisect.bisect_right(self.cells, line, key=lambda cell: cell.first) - 1
        return self.cells[max(index, 0)] if self.cells else None


def _is_in(cell: Cell, place: Place) -> bool:
    """Whether all of a place is Python of the cell, or the beginning of the line after it."""
    if place.line < cell.first or (place.end_line, place.end_column) > (cell.last + 1, 1):
        return False
    return not any(
        place.line <= line and (place.end_line, place.end_column) > (line, 1)
        for line in cell.others
    )


def _within(cell: Cell, edit: Edit) -> Edit:
    """The edit without the line after the cell's last: ends of lines instead of beginnings."""
    place, text = edit.place, edit.text
    if place.end_line <= cell.last:
        return edit
    end = replace(place, end_line=cell.last, end_column=cell.end(cell.last))
    if place.line > cell.last:
        end = replace(end, line=cell.last, column=cell.end(cell.last))
        text = "\n" + text.removesuffix("\n") if text else ""
    elif text or place.column > 1 or place.line == cell.first:
        text = text.removesuffix("\n")
    else:
        end = replace(end, line=place.line - 1, column=cell.end(place.line - 1))
    return Edit(end, text)


def _located(cell: Cell, edit: Edit) -> Edit:
    newline = cell.newline + cell.margin(edit.place.line)
    return Edit(cell.located(edit.place), edit.text.replace("\n", newline))
