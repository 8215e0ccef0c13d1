"""What Python's parser says of a file that it refuses, in a sentence and at a place."""

from __future__ import annotations

import ast
import re
import sys
from typing import TYPE_CHECKING

from torchlint.findings import Finding, Level, Place
from torchlint.sources.lines import split
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from torchlint.sources.source import Source

_PYTHON_2 = Pattern(
    r"""^\s*(print\s+[^\s=(.,:)]      # print x
          |exec\s+["'\w]              # exec "code"
          |raise\s+[\w.]+\s*,         # raise ValueError, "message"
          |except\s+[\w.]+\s*,\s*[a-z_]\w*\s*:  # except ValueError, error:
          )|<>|\bur["']""",
    re.VERBOSE,
)
_ASYNC = Pattern(r"\basync\s*=(?!=)")
_MERGE = Pattern(r"(?:<{7}|={7}|>{7})(?:\s|$)")
_NEWER = (
    (
        (3, 12),
        Pattern(r"^f-string"),
        "takes any quotes and backslashes within the braces of an f-string",
    ),
    (
        (3, 12),
        Pattern(r"^\s*(?:type\s+\w+\s*[\[=]|(?:(?:async\s+)?def|class)\s+\w+\s*\[)"),
        "has type statements and parameters",
    ),
    ((3, 14), Pattern(r"^multiple exception types"), "takes them as they are"),
    ((3, 14), Pattern(r"(?:^|[\s=(,:+\[{])(?:[tT][rR]?|[rR][tT])[\"']"), "has template strings"),
)
"""Since when Python reads what a line, or what is said of it, speaks of, and what it does then."""

_COMMAND = Pattern(r"\s*[!%]{1,2}[a-zA-Z]")
_TOO_DEEP = Pattern("too many nested|too many levels|too many statically|nested too|too complex")


def refusal(source: Source) -> Finding | None:
    """The TL001 finding on a file, if Python refuses it."""
    try:
        ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return syntax_error(source.path, source.text, error)
    return None


def syntax_error(path: str, text: str, error: Exception) -> Finding:
    """The TL001 finding for what ``ast.parse`` raised on the text.

    Besides ``SyntaxError`` that may be ``RecursionError`` or ``MemoryError``, of code that is
    nested too deeply, or ``ValueError``.
    """
    lines = split(text)
    place = _place(path, lines, error)
    return unreadable(place, _sentence(lines[place.line - 1], error))


def unreadable(place: Place, message: str) -> Finding:
    """A TL001 finding."""
    return Finding("TL001", "syntax-error", Level.CORRECTNESS, message, place)


def _sentence(line: str, error: Exception) -> str:
    reason = str(getattr(error, "msg", error)).strip()
    if isinstance(error, RecursionError | MemoryError) or _TOO_DEEP.search(reason):
        return "the code is nested too deeply for Python's parser; split it up or generate it"
    if _PYTHON_2.search(line):
        return f"this is Python 2 (`{line.strip()[:60]}`); torchlint reads Python 3"
    if _ASYNC.search(line):
        return (
            "`async` is a keyword since Python 3.7, and no name; torch calls the argument "
            "`non_blocking`"
        )
    if _MERGE.match(line):
        return "these are the marks of a merge that was not finished: one side is to be kept"
    if _COMMAND.match(line):
        return f"`{line.strip()[:60]}` is for IPython: notebooks have it, Python does not"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    newer = "".join(
        f"; Python {major}.{minor} {does}"
        for (major, minor), pattern, does in _NEWER
        if sys.version_info < (major, minor) and (pattern.search(line) or pattern.search(reason))
    )
    return f"cannot be read as Python {version}: {reason or 'invalid syntax'}{newer}"


def _place(path: str, lines: list[str], error: Exception) -> Place:
    """Where the parser stopped, moved into the text: its positions may lie outside or be absent."""
    line = min(max(getattr(error, "lineno", None) or 1, 1), len(lines))
    column = min(max(getattr(error, "offset", None) or 1, 1), len(lines[line - 1]) + 1)
    end = getattr(error, "end_offset", None) or 0
    same_line = getattr(error, "end_lineno", None) == line
    end_column = min(end if same_line and end > column else column + 1, len(lines[line - 1]) + 1)
    return Place(path, line, column, line, max(end_column, column))
