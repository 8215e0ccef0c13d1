"""Draws code with its labels underneath, as rustc does."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from torchlint.frozen import dataclass
from torchlint.reports._cells import Cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torchlint.findings import Finding, Place

GUTTER = "bold blue"

# A longer stretch is shown by its first and its last lines.
_LONGEST = 8
_HEAD, _TAIL = 4, 2


@dataclass(frozen=True, slots=True)
class Label:
    """A place to underline, with what there is to say of it; ``strong`` is the finding itself."""

    place: Place
    text: str
    style: str
    strong: bool = False

    @property
    def mark(self) -> str:
        """What underlines it."""
        return "^" if self.strong else "-"


@dataclass
class Frame:
    """The lines of one file that some labels speak of.

    ``gutter`` is the width of the line numbers, ``width`` that of the terminal; without one no line
    is cut.
    """

    lines: Sequence[str]
    labels: Sequence[Label]
    gutter: int
    width: int | None = None
    _cells: dict[int, Cells] = field(default_factory=dict)

    def draw(self) -> Iterator[Text]:
        """The rows from top to bottom."""
        yield self._row("", Text())
        previous = 0
        for number in self.numbers:
            if previous and number > previous + 1:
                yield Text("...", GUTTER)
            code = self._line(number).window(self._left, self._room)
            yield self._row(str(number), Text.assemble(*self._bars(number, on_code=True), code))
            for label in self.labels:
                yield from self._marks(label, number)
            previous = number
        yield self._row("", Text())

    def _row(self, number: str, content: Text) -> Text:
        row = Text.assemble((f"{number:>{self.gutter}} | ", GUTTER), content)
        row.rstrip()
        return row

    def _line(self, number: int) -> Cells:
        if number not in self._cells:
            self._cells[number] = Cells(self.lines[number - 1])
        return self._cells[number]

    def last(self, label: Label) -> int:
        """The last line of a label: one that ends before a line's first column ends above it."""
        place = label.place
        ends_above = place.end_column == 1 and place.end_line > place.line
        return min(place.end_line - ends_above, len(self.lines))

    def _end(self, label: Label) -> int:
        """The cell after the label's last one."""
        last = self._line(self.last(label))
        column = label.place.end_column
        whole = label.place.end_line != self.last(label)
        return last.at(len(last.text) + 1 if whole else column)

    def _start(self, label: Label) -> int:
        return self._line(label.place.line).at(label.place.column)

    @cached_property
    def _tall(self) -> list[Label]:
        """The labels that span lines; each has a column of its own at the left of the code."""
        return [label for label in self.labels if self.last(label) > label.place.line]

    @cached_property
    def numbers(self) -> list[int]:
        """The lines to show: those of the labels, one around the finding, and single gaps."""
        wanted: set[int] = set()
        for label in self.labels:
            first, last = label.place.line, self.last(label)
            span = range(first, last + 1)
            long = len(span) > _LONGEST
            wanted |= {*span[:_HEAD], *span[-_TAIL:]} if long else set(span)
            if label.strong:
                around = {first - 1, last + 1} & set(range(1, len(self.lines) + 1))
                wanted |= {number for number in around if self.lines[number - 1].strip()}
        wanted |= {number + 1 for number in wanted if number + 2 in wanted}
        return sorted(wanted)

    @cached_property
    def _room(self) -> int | None:
        """How many cells there are for code."""
        if self.width is None:
            return None
        return max(self.width - self.gutter - 3 - 2 * len(self._tall), 20)

    @cached_property
    def _left(self) -> int:
        """How many cells of the code are cut off at the left so that what is marked is seen."""
        flat = [label for label in self.labels if label not in self._tall]
        ends = [self._end(label) for label in flat] or [0]
        if self._room is None or max(ends) <= self._room:
            return 0
        shown = [self._line(number) for number in self.numbers]
        indent = min(line.indent for line in shown if line.text.strip())
        if max(ends) - indent <= self._room:
            return indent
        starts = [self._start(label) for label in flat]
        return max(indent, min(min(starts) - 4, max(ends) - self._room + 4))

    def _bars(self, number: int, *, on_code: bool) -> Iterator[tuple[str, str]]:
        """The columns of the labels that span lines, for the row of a line or one beneath it."""
        for label in self._tall:
            first, last = label.place.line, self.last(label)
            bar = " "
            if first < number < last or (number == last and on_code):
                bar = "|"
            elif number == first and self._opens_line(label):
                bar = "/" if on_code else "|"
            yield f"{bar} ", label.style

    def _opens_line(self, label: Label) -> bool:
        return self._start(label) <= self._line(label.place.line).indent

    def _marks(self, label: Label, number: int) -> Iterator[Text]:
        """The rows of a label beneath a line."""
        if label in self._tall:
            if number == label.place.line and not self._opens_line(label):
                yield self._bend(label, number, self._start(label), " ", "")
            if number == self.last(label):
                yield self._bend(label, number, self._end(label) - 1, "|", label.text)
        elif number == label.place.line:
            yield from self._underline(label, number)

    def _bend(self, label: Label, number: int, cell: int, bar: str, text: str) -> Text:
        """A line from the label's column to a cell of the code, where it starts or ends."""
        index = self._tall.index(label)
        before = list(self._bars(number, on_code=False))[:index]
        reach = 2 * (len(self._tall) - index) - 1 + self._visible(cell)
        return self._row(
            "", Text.assemble(*before, (f"{bar}{'_' * reach}{label.mark} {text}", label.style))
        )

    def _visible(self, cell: int) -> int:
        inside = max(cell - self._left, 0)
        return inside if self._room is None else min(inside, self._room - 1)

    def _underline(self, label: Label, number: int) -> Iterator[Text]:
        bars = Text.assemble(*self._bars(number, on_code=False))
        start = self._visible(self._start(label))
        marks = label.mark * max(self._visible(self._end(label) - 1) - start + 1, 1)
        beside = start + len(marks) + 1 + cell_len(label.text)
        if self._room is None or beside <= self._room:
            yield self._row("", bars + Text(f"{' ' * start}{marks} {label.text}", label.style))
            return
        yield self._row("", bars + Text(" " * start + marks, label.style))
        indent = max(0, min(start, self._room - cell_len(label.text)))
        for line in fold(Text(label.text, label.style), self._room - indent):
            yield self._row("", bars + Text(" " * indent) + line)


def by_file(finding: Finding, style: str, step_style: str) -> list[list[Label]]:
    """The finding and its steps by the file or cell they lie in, that of the finding first."""
    place = finding.place
    files = {place.unit: [Label(place, "", style, strong=True)]}
    several = len(finding.because) > 1
    for number, step in enumerate(finding.because, start=1):
        text = f"{number}. {step.message}" if several else step.message
        files.setdefault(step.place.unit, []).append(Label(step.place, text, step_style))
    return list(files.values())


def fold(text: Text, width: int | None) -> list[Text]:
    """The text in lines of at most ``width`` cells, broken between words."""
    if width is None or cell_len(text.plain) <= width:
        return [text]
    from rich.console import Console

    lines = text.wrap(Console(width=width), width)
    for line in lines:
        line.rstrip()
    return list(lines)
