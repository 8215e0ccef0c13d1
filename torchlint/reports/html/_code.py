"""Code in the page: frames with what a finding speaks of marked, and what a repair changes."""

from __future__ import annotations

import difflib
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.reports import where
from torchlint.reports._cells import tame
from torchlint.reports._frame import Frame, Label, by_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from torchlint.findings import Edit, Finding, Fix


def frames(finding: Finding, lines: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The code of the finding, then that of its steps in other files."""
    for number, labels in enumerate(by_file(finding, "strong", "step")):
        place = labels[0].place
        own = lines.get(place.unit, ())
        known = [label for label in labels if label.place.line <= len(own)]
        if number:
            yield f'<p class="place">{_shown(where(place))}</p>'
        if known:
            yield from _frame(Frame(own, known, 0, None))
        yield from _notes(label for label in labels if label not in known)


def _frame(frame: Frame) -> Iterator[str]:
    yield '<pre class="code">'
    previous = 0
    for number in frame.numbers:
        if previous and number > previous + 1:
            yield '<span class="gap">...</span>'
        yield f'<span class="number">{number}</span>{_marked(frame, number)}'
        yield from _notes(label for label in frame.labels if frame.last(label) == number)
        previous = number
    yield "</pre>"


def _notes(labels: Iterable[Label]) -> Iterator[str]:
    for label in labels:
        if label.text:
            yield f'<span class="label">{_shown(label.text)}</span>'


def _marked(frame: Frame, number: int) -> str:
    """A line with what its labels cover marked; the finding itself wins over its steps."""
    text = frame.lines[number - 1]
    spans = [
        (*_covered(label, number, text), label)
        for label in frame.labels
        if label.place.line <= number <= frame.last(label)
    ]
    cuts = sorted({0, len(text), *(cut for start, end, _ in spans for cut in (start, end))})
    made = ""
    for start, end in pairwise(cuts):
        over = [label for begin, stop, label in spans if begin <= start and end <= stop]
        part = _shown(text[start:end])
        if over:
            style = max(over, key=lambda label: label.strong).style
            part = f'<mark class="{style}">{part}</mark>'
        made += part
    return made


def _covered(label: Label, number: int, text: str) -> tuple[int, int]:
    """Where in the line the label begins and ends; not in the blanks before a further line."""
    place = label.place
    indent = len(text) - len(text.lstrip())
    start = place.column - 1 if number == place.line else indent
    end = place.end_column - 1 if number == place.end_line else len(text)
    return min(start, len(text)), min(end, len(text))


def difference(fix: Fix, lines: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What the repair takes away and adds, in each file or cell."""
    for unit in dict.fromkeys(edit.place.unit for edit in fix.edits):
        edits = [edit for edit in fix.edits if edit.place.unit == unit]
        if unit not in lines:
            continue
        rows = difflib.unified_diff(lines[unit], _applied(lines[unit], edits), n=1, lineterm="")
        yield f'<p class="place">{_shown(unit)}</p>\n<pre class="difference">'
        for row in list(rows)[2:]:
            yield f'<span class="{_KINDS.get(row[0], "same")}">{_shown(row)}</span>'
        yield "</pre>"


_KINDS = {"+": "added", "-": "removed", "@": "hunk"}


def _applied(lines: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    text = "\n".join(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for edit in sorted(edits, key=lambda edit: edit.place, reverse=True):
        begin = starts[edit.place.line - 1] + edit.place.column - 1
        end = starts[edit.place.end_line - 1] + edit.place.end_column - 1
        text = text[:begin] + edit.text.replace("\r\n", "\n") + text[end:]
    return text.split("\n")


def _shown(text: str) -> str:
    return escape("".join(each if each == "\t" else tame(each) for each in text))
