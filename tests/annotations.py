"""The marks in code that is linted by tests: what is expected, and where.

``# expect: TL101`` says that the line has that finding; ``TL101[pedantic]`` that its level is not
the rule's own. ``# miss: TL101`` is a known false negative and ``# noise: TL101`` a known false
alarm: both are strict, so that a repair takes the mark away. ``# fixed: TL101`` says where the
corrected twin of a mistake stands. A mark belongs to its line; on a line of its own, to the next
line of code, unless other text precedes it in its comment.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CODE = r"TL\d{3}(?:\[[a-z]+\])?"
MARK = re.compile(rf"#\s*(expect|miss|noise|fixed):\s*({CODE}(?:\s*,\s*{CODE})*)")
BEGINNING = re.compile(r"#\s*(expect|miss|noise|fixed):")
NEEDS = re.compile(r"^# needs: (\w+)", re.MULTILINE)


@dataclass(frozen=True, order=True)
class Mark:
    """One code of one mark; ``level`` is empty where it is the rule's own."""

    line: int
    code: str
    kind: str
    level: str = ""


@dataclass(frozen=True)
class Comment:
    """A comment; ``target`` is the line its marks belong to if nothing precedes them."""

    line: int
    target: int
    text: str


def read_marks(file: Path) -> list[Mark]:
    """The marks of a file, whatever its encoding."""
    return parse_marks(file.read_bytes().decode("utf-8", errors="replace"))


def parse_marks(text: str) -> list[Mark]:
    """The marks of a text, in the order of their lines."""
    if not BEGINNING.search(text):
        return []
    marks = [mark for comment in comments(text) for mark in marks_of(comment)]
    missed = {(mark.line, mark.code) for mark in marks if mark.kind == "miss"}
    found = {(mark.line, mark.code) for mark in marks if mark.kind in ("expect", "noise")}
    if missed & found:
        raise ValueError(f"both missed and expected: {sorted(missed & found)}")
    return sorted(marks)


def marks_of(comment: Comment) -> Iterator[Mark]:
    """The marks in one comment; something that begins as a mark and is none is an error."""
    if len(BEGINNING.findall(comment.text)) != len(MARK.findall(comment.text)):
        raise ValueError(f"line {comment.line}: no mark of the form '# expect: TL101': {comment}")
    for match in MARK.finditer(comment.text):
        line = comment.target if match.start() == 0 else comment.line
        for item in re.split(r"\s*,\s*", match[2]):
            code, _, level = item.rstrip("]").partition("[")
            yield Mark(line, code, match[1], level)


def comments(text: str) -> list[Comment]:
    """The comments of a text; of one that cannot be tokenized, all that looks like one."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return list(comments_by_line(text))
    blank = (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE)
    solid = [token for token in tokens if token.type not in blank]
    code = sorted({line for token in solid for line in (token.start[0], token.end[0])})
    return [
        Comment(token.start[0], next(line for line in code if line >= token.start[0]), token.string)
        for token in tokens
        if token.type == tokenize.COMMENT
    ]


def comments_by_line(text: str) -> Iterator[Comment]:
    """What follows a ``#`` in each line, for text that is not Python."""
    lines = text.splitlines()
    code = [n for n, line in enumerate(lines, 1) if line.strip() and line.strip()[0] != "#"]
    for number, line in enumerate(lines, 1):
        if "#" in line:
            target = next((other for other in code if other >= number), number)
            yield Comment(number, target, line[line.index("#") :])
