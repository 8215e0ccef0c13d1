"""Suppression comments, read from the token stream: a string that looks like one is none.

``# torchlint: ignore[TL301]`` after code acts on its line, and on a line of its own on the next
logical line; ``# torchlint: file-ignore[TL301]`` acts on the file, and ``# torchlint: off[TL301]``
until ``# torchlint: on[TL301]`` or the end of its block. ``# noqa`` and ``# noqa: TL301`` act on
their line. What follows the bracket is the reason, up to another ``#``.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from typing import TYPE_CHECKING

from torchlint.findings import Edit, Place
from torchlint.frozen import dataclass, replace
from torchlint.sources.lines import split
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.sources.source import Source

_DIRECTIVE = Pattern(r"#\s*torchlint:\s*(?P<kind>file-ignore|ignore|off|on)(?![\w-])")
_LIST = Pattern(r"\s*\[(?P<list>[^\]#]*)\]")
_NOQA = Pattern(
    r"#\s*noqa\b(?:\s*:\s*(?P<list>[a-z]+[0-9]+(?:[\s,]+[a-z]+[0-9]+)*)|(?!\s*:))", re.IGNORECASE
)
_SELECTOR = Pattern(r"[^\s,]+")
_OURS = Pattern(r"tl\d+", re.IGNORECASE)

_DASHES = " \t:-\u2013\u2014"

_ANY = Pattern(r"#\s*(torchlint:|noqa\b)", re.IGNORECASE)
_NAMED = Pattern(r"#\s*(torchlint:|noqa\s*:.*?\btl\d)", re.IGNORECASE)
_LAYOUT = frozenset({tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})


@dataclass(frozen=True, slots=True)
class Selector:
    """A code or name as it is written in a suppression."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment that suppresses what its selectors mean on the lines ``first`` to ``last``.

    ``blanket`` is a bare ``# noqa``, which means everything. Codes of other tools are no selectors
    here. ``place`` is the directive within its comment, ``listed`` what lists the selectors, and
    ``removal`` takes the directive out and leaves the reason and other comments. ``end`` is what
    ends a range, and ``stray`` says that this is such an end without a range.
    """

    first: int
    last: int
    selectors: tuple[Selector, ...]
    blanket: bool
    place: Place
    listed: Place
    listed_text: str
    removal: Edit
    reason: str = ""
    end: Suppression | None = None
    stray: bool = False

    def covers(self, place: Place) -> bool:
        """Whether any line of the place is one that this acts on."""
        return self.first <= place.end_line and place.line <= self.last

    def without(self, unused: set[Selector]) -> tuple[Edit, ...]:
        """The edits that take out exactly these selectors, at the end of a range too."""
        starts = {selector.place.column - self.listed.column for selector in unused}
        listed = _SELECTOR.finditer(self.listed_text)
        kept = [match[0] for match in listed if match.start() not in starts]
        own = Edit(self.listed, ", ".join(kept)) if kept else self.removal
        if self.end is None or (kept and not self.end.listed_text):
            return (own,)
        texts = {selector.text.upper() for selector in unused}
        ending = {each for each in self.end.selectors if each.text.upper() in texts}
        return (own, *self.end.without(ending))


def concerns(source: Source, *, has_findings: bool) -> bool:
    """Whether the file is worth tokenizing; a bare ``# noqa`` matters only where findings are."""
    return bool((_ANY if has_findings else _NAMED).search(source.text))


def suppressions(source: Source) -> list[Suppression]:
    """The suppressions of a file; none where Python cannot tokenize it."""
    try:
        readline = io.StringIO(source.text, newline=None).readline
        tokens = list(tokenize.generate_tokens(readline))
    except (tokenize.TokenError, SyntaxError):
        return []
    return list(_Reader(source.path, split(source.text)).read(tokens))


@dataclass(frozen=True, slots=True)
class _Directive:
    """A directive in the comment at ``row`` and ``column`` (from 0), and where in it that is."""

    row: int
    column: int
    comment: str
    start: int
    end: int
    listed: tuple[int, int]
    kind: str

    @property
    def means(self) -> frozenset[str]:
        """The selectors, however they are written."""
        text = self.comment[slice(*self.listed)].upper()
        return frozenset(match[0] for match in _SELECTOR.finditer(text))

    @property
    def reason(self) -> str:
        """What follows it, up to another comment."""
        return self.comment[self.end :].partition("#")[0].strip(_DASHES)


@dataclass(slots=True)
class _Reader:
    """Finds the lines that each directive acts on."""

    path: str
    lines: list[str]

    def read(self, tokens: list[tokenize.TokenInfo]) -> Iterator[Suppression]:
        """Walk the tokens; a directive on a line of its own waits for the code that it precedes."""
        before: list[_Directive] = []
        inside: list[_Directive] = []
        ranges: list[_Directive] = []
        statement = 0
        for token in tokens:
            row = token.start[0]
            if token.type == tokenize.COMMENT:
                for directive in _directives(token):
                    if directive.kind == "file-ignore":
                        yield self._suppression(directive, 1, sys.maxsize)
                    elif directive.kind == "off":
                        ranges.append(directive)
                    elif directive.kind == "on":
                        yield from self._ended(ranges, directive)
                    elif directive.kind == "noqa" or not self._stands_alone(directive):
                        yield self._suppression(directive, row, row)
                    else:
                        (inside if statement else before).append(directive)
            elif token.type == tokenize.NEWLINE:
                yield from (self._suppression(each, statement, row) for each in before)
                before, statement = [], 0
            elif token.type not in _LAYOUT:
                yield from (self._suppression(each, row, row) for each in inside)
                if not statement:
                    yield from self._left(ranges, token)
                inside, statement = [], statement or row
        yield from (self._suppression(each, 0, 0) for each in before + inside)
        yield from (self._suppression(each, each.row, sys.maxsize) for each in ranges)

    def _ended(self, ranges: list[_Directive], end: _Directive) -> Iterator[Suppression]:
        """The ranges that an ``on`` ends: those of the same rules, or all if it names none."""
        closing = self._suppression(end, 0, 0)
        ended = [each for each in ranges if not end.means or each.means == end.means]
        for each in ended:
            ranges.remove(each)
            yield replace(self._suppression(each, each.row, end.row), end=closing)
        if not ended:
            yield replace(closing, selectors=(), stray=True)

    def _left(self, ranges: list[_Directive], token: tokenize.TokenInfo) -> Iterator[Suppression]:
        """The ranges whose block has been left where a statement begins."""
        for each in list(ranges):
            line = self.lines[each.row - 1]
            if token.start[1] < len(line) - len(line.lstrip()):
                ranges.remove(each)
                yield self._suppression(each, each.row, token.start[0] - 1)

    def _stands_alone(self, directive: _Directive) -> bool:
        return not self.lines[directive.row - 1][: directive.column].strip()

    def _suppression(self, directive: _Directive, first: int, last: int) -> Suppression:
        start, end = directive.listed
        text = directive.comment[start:end]
        selectors = tuple(
            Selector(match[0], self._place(directive, start + match.start(), start + match.end()))
            for match in _SELECTOR.finditer(text)
            if directive.kind != "noqa" or _OURS.fullmatch(match[0])
        )
        return Suppression(
            first=first,
            last=last,
            selectors=selectors,
            blanket=directive.kind == "noqa" and not text,
            place=self._place(directive, directive.start, directive.end),
            listed=self._place(directive, start, end),
            listed_text=text,
            removal=self._removal(directive),
            reason=directive.reason,
        )

    def _place(self, directive: _Directive, start: int, end: int) -> Place:
        row, column = directive.row, directive.column + 1
        return Place(self.path, row, column + start, row, column + end)

    def _removal(self, directive: _Directive) -> Edit:
        """Keep a reason and a following comment; a line that held nothing else goes as a whole."""
        tail = directive.comment[directive.end :]
        reason, _, other = tail.partition("#")
        if reason.strip(_DASHES):
            skipped = len(reason) - len(reason.lstrip(_DASHES))
            return Edit(self._place(directive, directive.start, directive.end + skipped), "# ")
        if other:
            return Edit(self._place(directive, directive.start, directive.end + len(reason)), "")
        row, line = directive.row, self.lines[directive.row - 1]
        kept = len(line[: directive.column + directive.start].rstrip())
        if kept or row == len(self.lines):
            return Edit(Place(self.path, row, kept + 1, row, len(line) + 1), "")
        return Edit(Place(self.path, row, 1, row + 1, 1), "")


def _directives(token: tokenize.TokenInfo) -> Iterator[_Directive]:
    row, column = token.start
    comment = token.string
    for match in _DIRECTIVE.finditer(comment):
        # Without a list it names nothing, which is reported: there is no blanket form.
        listed = _LIST.match(comment, match.end())
        end = listed.end() if listed else match.end()
        span = listed.span("list") if listed else (end, end)
        yield _Directive(row, column, comment, match.start(), end, span, match["kind"])
    for match in _NOQA.finditer(comment):
        span = match.span("list") if match["list"] else (match.end(), match.end())
        yield _Directive(row, column, comment, *match.span(), span, "noqa")
