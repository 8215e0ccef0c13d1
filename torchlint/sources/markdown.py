"""Markdown: the Python of its fenced blocks as one text, in the lines in which it stands.

Blocks build on one another, as cells do. One that Python cannot read is an excerpt, and left out.
"""

from __future__ import annotations

import ast
import re
import warnings
from itertools import takewhile
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.sources import magics
from torchlint.sources.cells import BORDER, Cell, Cells
from torchlint.sources.edits import apply
from torchlint.sources.lines import newline, split
from torchlint.sources.packing import packed
from torchlint.sources.patterns import Pattern
from torchlint.sources.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torchlint.sources.reading import Found

_FENCE = Pattern(r"(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$")
_PYTHON = Pattern(
    r"i?py(?:thon)?3?(?:[\s,:{].*)?$|\{[. ]?i?py(?:thon)?3?\b.*|"
    r"\{code(?:-cell|-block)?\}\s+i?python3?\b.*",
    re.IGNORECASE,
)
_CONSOLE = Pattern(r"\{?\.?(?:pycon|python-console|python-repl)\b", re.IGNORECASE)
_PROMPT = Pattern(r"[ \t]*(?:>>>|\.\.\.)(?: |$)")


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines between two fences, the first of which is ``first``, as they are written."""

    first: int
    info: str
    indent: str
    lines: list[str]

    @property
    def is_console(self) -> bool:
        """Whether it shows a session, with prompts and what is printed."""
        begin = next((line for line in self.lines if line.strip()), "")
        return _CONSOLE.match(self.info) is not None or begin.lstrip().startswith(">>> ")

    def margins(self) -> list[str]:
        """What stands before the code of each line: the indentation of the fence, or a prompt."""
        if self.is_console:
            prompts = map(_PROMPT.match, self.lines)
            return [prompt[0] if prompt else "" for prompt in prompts]
        return [_common(self.indent, line) for line in self.lines]


def read(found: Found, text: str) -> Source:
    """The source of the blocks."""
    lines = split(text)
    code = [""] * len(lines)
    cells = []
    for block in _blocks(lines):
        margins = block.margins()
        own = [line.removeprefix(margin) for line, margin in zip(block.lines, margins, strict=True)]
        if block.is_console:
            # What is printed shows the value of what comes before it, as the end of a cell does.
            own = [line if margin else BORDER for line, margin in zip(own, margins, strict=True)]
        lengths = tuple(map(len, own))
        python = magics.python("\n".join(own))
        if python is None or not _is_program(python[0]):
            continue
        others = range(len(own)) if block.is_console else python[1]
        end = block.first - 1 + len(own)
        code[block.first - 1 : end + 1] = [*python[0].split("\n"), BORDER]
        cells.append(
            Cell(
                block.first,
                lengths,
                line=block.first,
                margins=tuple(margins),
                newline=newline(text, block.first),
                others=frozenset(block.first + line for line in others),
            )
        )
    whole = Cells(text, tuple(cells), {None: text}, apply)
    joined = "".join(f"{line}\n" for line in code)
    return Source(found.path, found.file, packed(joined), found.reported, whole)


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """The fenced blocks of Python that have any lines."""
    rows = iter(enumerate(lines, start=1))
    for row, line in rows:
        opening = _FENCE.match(line)
        if opening is None:
            continue
        fence = opening["fence"]
        inside = []
        for _, each in rows:
            closing = _FENCE.match(each)
            if closing and closing["fence"].startswith(fence) and not closing["info"].strip():
                break
            inside.append(each)
        if inside and (_PYTHON.match(opening["info"]) or _CONSOLE.match(opening["info"])):
            yield _Block(row + 1, opening["info"], opening["indent"], inside)


def _common(indent: str, line: str) -> str:
    """As much of an indentation as a line has."""
    pairs = zip(indent, line, strict=False)
    return "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _is_program(code: str) -> bool:
    """Whether this could stand in a file; a function's body cannot."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
