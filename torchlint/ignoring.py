"""Comments that suppress what was found, where they can stand without changing the code."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import defaultdict
from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.findings import Edit, Place, Trouble
from torchlint.frozen import dataclass
from torchlint.registry import rules
from torchlint.sources.lines import split
from torchlint.sources.reading import again
from torchlint.sources.source import Source
from torchlint.sources.suppressions import suppressions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.findings import Finding
    from torchlint.located import Look
    from torchlint.sources.suppressions import Suppression


@dataclass(slots=True)
class Commented:
    """Texts with comments that suppress the findings, and the files where there could be none."""

    texts: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)


def commented(look: Look, reason: str = "") -> Commented:
    """The files of a report with comments that suppress what was found; nothing is written."""
    made = Commented()
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in filter(_takes_comment, look.report.findings):
        by_path[finding.place.path].append(finding)
    for path, findings in by_path.items():
        source = look.sources[path]
        edits = [each for each in comments(findings, source, reason) if source.edits([each])]
        after = source.edited(edits)
        if _says(again(source, after)) == _says(source):
            made.texts[path] = after
            made.findings += map(look.finding, findings)
        else:
            message = "comments would change the code, and were not added; please report this"
            made.troubles.append(Trouble(path, message, fatal=True))
    return made


def _takes_comment(finding: Finding) -> bool:
    return rules()[finding.code].question is not None


def _says(source: Source | Finding | Trouble) -> str:
    """What the code says, whatever its layout and comments."""
    if not isinstance(source, Source):
        return ""
    try:
        return ast.dump(ast.parse(source.text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def comments(findings: Iterable[Finding], source: Source, reason: str = "") -> list[Edit]:
    """The edits that suppress findings of a file, each by a comment on the first line it can.

    What concerns the run itself cannot be suppressed, nor anything where Python cannot tell what is
    a comment.
    """
    layout = _Layout.of(source)
    if layout is None:
        return []
    wanted: dict[int, list[str]] = {}
    for finding in filter(_takes_comment, findings):
        codes = wanted.setdefault(layout.row(finding.place), [])
        if finding.code not in codes:
            codes.append(finding.code)
    return [layout.edit(row, codes, reason) for row, codes in sorted(wanted.items())]


class _Layout:
    """Which lines of a file a comment can be added to.

    ``closed`` are those that end within a string or with a backslash; ``starts`` says where the
    statement begins that a line is part of. ``known`` are suppressions that take more codes, by
    their line, ``above`` by the line of the statement below them.
    """

    def __init__(self, source: Source, tokens: Iterable[tokenize.TokenInfo]) -> None:
        self.source = source
        self.lines = split(source.text)
        self.closed: set[int] = set()
        self.starts: dict[int, int] = {}
        ours = [each for each in suppressions(source) if self._is_ignore(each)]
        self.known = {
            each.place.line: each for each in ours if each.first == each.last == each.place.line
        }
        self.above = {each.first: each for each in ours if each.place.line < each.first}
        first = before = 0
        formats: list[int] = []
        for token in tokens:
            if token.type in _NO_CODE:
                continue
            first = first or token.start[0]
            self.closed.update(range(token.start[0], token.end[0]))
            # Since Python 3.12 a formatted string is several tokens.
            if token.type in _FORMAT_STARTS:
                formats.append(token.start[0])
            elif token.type in _FORMAT_ENDS:
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
        known = self.known.get(row) if row > 0 else self.above.get(-row)
        if known is not None:
            listed = [selector.text for selector in known.selectors]
            return Edit(known.listed, ", ".join(dict.fromkeys([*listed, *codes])))
        comment = f"# torchlint: ignore[{', '.join(codes)}]" + (f" {reason}" if reason else "")
        line = self.lines[abs(row) - 1]
        if row < 0:
            indentation = line[: len(line) - len(line.lstrip())]
            return Edit(self._at(-row, 1), f"{indentation}{comment}{self._newline()}")
        end = len(line.rstrip()) + 1
        return Edit(Place(self.source.path, row, end, row, len(line) + 1), f"  {comment}")

    def _is_ignore(self, suppression: Suppression) -> bool:
        """Whether it is an ``ignore`` with a list, which more codes can be added to."""
        place = suppression.place
        directive = self.lines[place.line - 1][place.column - 1 : suppression.listed.column - 1]
        return directive.replace(" ", "").startswith("#torchlint:ignore[")

    def _continues(self, row: int) -> bool:
        return bool(row) and self.lines[row - 1].rstrip().endswith("\\")

    def _at(self, row: int, column: int) -> Place:
        return Place(self.source.path, row, column, row, column)

    def _newline(self) -> str:
        text = self.source.text
        end = len(self.lines[0])
        return "\r\n" if text.startswith("\r\n", end) else text[end : end + 1] or "\n"


_FORMAT_STARTS = {getattr(tokenize, f"{kind}STRING_START", None) for kind in "FT"}
_FORMAT_ENDS = {getattr(tokenize, f"{kind}STRING_END", None) for kind in "FT"}
_NO_CODE = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)
