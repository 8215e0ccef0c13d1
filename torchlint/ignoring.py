"""Comments that suppress what was found, where they can stand without changing the code."""

from __future__ import annotations

import io
import tokenize
from typing import TYPE_CHECKING

from torchlint.findings import Edit, Place
from torchlint.registry import rules
from torchlint.sources.lines import split
from torchlint.sources.suppressions import suppressions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.findings import Finding
    from torchlint.sources.source import Source
    from torchlint.sources.suppressions import Suppression


def comments(findings: Iterable[Finding], source: Source, reason: str = "") -> list[Edit]:
    """The edits that suppress findings of a file, each by a comment on the first line it can.

    What concerns the run itself cannot be suppressed, nor anything where Python cannot tell what is
    a comment.
    """
    layout = _Layout.of(source)
    if layout is None:
        return []
    wanted: dict[int, list[str]] = {}
    for finding in findings:
        if rules()[finding.code].question is not None:
            codes = wanted.setdefault(layout.row(finding.place), [])
            if finding.code not in codes:
                codes.append(finding.code)
    return [layout.edit(row, codes, reason) for row, codes in sorted(wanted.items())]


class _Layout:
    """Which lines of a file a comment can be added to.

    ``closed`` are those that end within a string or with a backslash; ``starts`` says where the
    statement begins that a line is part of.
    """

    def __init__(self, source: Source, tokens: Iterable[tokenize.TokenInfo]) -> None:
        self.source = source
        self.lines = split(source.text)
        self.closed: set[int] = set()
        self.starts: dict[int, int] = {}
        self.known = {
            suppression.place.line: suppression
            for suppression in suppressions(source)
            if self._can_take_more(suppression)
        }
        first = before = 0
        formats: list[int] = []
        for token in tokens:
            if token.type in _NO_CODE:
                continue
            first = first or token.start[0]
            self.closed.update(range(token.start[0], token.end[0]))
            # Since Python 3.12 a formatted string is several tokens.
            if token.type == _FORMAT_START:
                formats.append(token.start[0])
            elif token.type == _FORMAT_END:
                self.closed.update(range(formats.pop(), token.end[0]))
            if token.start[0] > before and self._continues(before):
                self.closed.update(range(before, token.start[0]))
            before = token.end[0]
            for row in range(token.start[0], token.end[0] + 1):
                self.starts.setdefault(row, first)
            if token.type == tokenize.NEWLINE:
                first = 0

    @classmethod
    def of(cls, source: Source) -> _Layout | None:
        """The layout of a file that Python can tokenize."""
        try:
            readline = io.StringIO(source.text, newline=None).readline
            return cls(source, list(tokenize.generate_tokens(readline)))
        except (tokenize.TokenError, SyntaxError):
            return None

    def row(self, place: Place) -> int:
        """The first line of a place that takes a comment; else, negated, the statement's first."""
        rows = range(place.line, place.end_line + 1)
        found = next((row for row in rows if row not in self.closed), None)
        return found or -self.starts.get(place.line, place.line)

    def edit(self, row: int, codes: list[str], reason: str) -> Edit:
        """Add the codes to the line's own suppression, or one to the line, or a line before it."""
        known = self.known.get(row)
        if known is not None:
            return Edit(known.listed, ", ".join([known.listed_text.strip(), *codes]))
        comment = f"# torchlint: ignore[{', '.join(codes)}]" + (f" {reason}" if reason else "")
        line = self.lines[abs(row) - 1]
        if row < 0:
            indentation = line[: len(line) - len(line.lstrip())]
            return Edit(self._at(-row, 1), f"{indentation}{comment}{self._newline()}")
        end = len(line.rstrip()) + 1
        return Edit(Place(self.source.path, row, end, row, len(line) + 1), f"  {comment}")

    def _can_take_more(self, suppression: Suppression) -> bool:
        place = suppression.place
        line = self.lines[place.line - 1]
        ours = "ignore" in line[place.column - 1 : suppression.listed.column - 1]
        after_code = bool(line[: place.column - 1].strip(" \t#"))
        return ours and after_code and suppression.first == suppression.last == place.line

    def _continues(self, row: int) -> bool:
        return bool(row) and self.lines[row - 1].rstrip().endswith("\\")

    def _at(self, row: int, column: int) -> Place:
        return Place(self.source.path, row, column, row, column)

    def _newline(self) -> str:
        text = self.source.text
        end = len(self.lines[0])
        return "\r\n" if text.startswith("\r\n", end) else text[end : end + 1] or "\n"


_FORMAT_START = getattr(tokenize, "FSTRING_START", None)
_FORMAT_END = getattr(tokenize, "FSTRING_END", None)
_NO_CODE = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)
