"""What IPython reads beside Python, put out of the way: line for line, so that all else stays."""

from __future__ import annotations

import re

from torchlint.sources.patterns import Pattern

CALL = "get_ipython()"
"""What stands for a value that only IPython can tell."""

# Cells of these are Python that is run where the others are.
_PYTHON = frozenset({"capture", "debug", "ipytest", "prun", "time", "timeit"})

_CELL_MAGIC = Pattern(r"\s*%%(?P<name>\w+)[^\n]*")
_SUSPECT = Pattern(r"^[ \t]*[%!?,;/]|\?[ \t]*$|=[ \t]*[%!]", re.MULTILINE)

_MAGIC = Pattern(r"[%!?]|[,;/](?=[A-Za-z_])")
_HELP = Pattern(r"[^#'\"\n]*\?[ \t]*(?=\n|\Z)")
_TIMED = Pattern(
    r"%time[ \t](?=[ \t]*[^\W\d])(?![ \t]*(?:async|class|def|for|if|try|while|with)\b)"
)
_ASSIGNED = Pattern(r"(?P<targets>[A-Za-z_][\w.,\[\] \t]*=[ \t]*)(?:(?P<timed>%time[ \t])|[%!])")
_AUTOMATIC = Pattern(
    r"(?:autoreload|cat|cd|conda|config|cp|env|history|less|ll|load_ext|ls|mamba|man|matplotlib|"
    r"mkdir|more|mv|pip3?|pwd|pylab|reload_ext|rm|rmdir|run|timeit|uv|who|whos)"
    r"(?:[ \t]++(?![=(\[+*<>|&^%@:,;)])|[ \t]*+(?=\n|\Z))"
)
_REST = Pattern(r"(?:\\\n|[^\n])*")
_PIECE = Pattern(
    r"\"{3}(?:\\.|[^\\])*?(?:\"{3}|\Z)|'{3}(?:\\.|[^\\])*?(?:'{3}|\Z)"
    r"|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?"
    r"|\#[^\n]*|\\\n|[()\[\]{}]|\n|[ \t]+|[^\"'\#\\()\[\]{}\n]+|.",
    re.DOTALL,
)


def python(text: str, *, automatic: bool = False) -> tuple[str, frozenset[int]] | None:
    """The Python of a cell, and the lines of it, from 0, that stand in for what is none.

    None where the whole cell is something else. ``automatic`` says that commands may have no ``%``,
    some of which could also be Python.
    """
    start = 0
    others: set[int] = set()
    cell = _CELL_MAGIC.match(text)
    if cell is not None:
        if cell["name"] not in _PYTHON:
            return None
        start = text.count("\n", 0, cell.end())
        others.add(start)
        text = "\n" * start + text[cell.end() :]
    if not automatic and not _SUSPECT.search(text, start):
        return text, frozenset(others)
    return _replaced(text, start, others, automatic=automatic), frozenset(others)


def _replaced(text: str, at: int, others: set[int], *, automatic: bool) -> str:
    """The text with something in place of each magic, which stands where a statement begins."""
    made = [text[:at]]
    depth, begins = 0, True
    while at < len(text):
        magic = _magic(text, at, automatic=automatic) if begins else None
        if magic is not None:
            end, new = magic
            first, more = text.count("\n", 0, at), text.count("\n", at, end)
            others.update(range(first, first + more + 1))
            made.append(new + "\n" * more)
            at, begins = end, False
            continue
        match = _PIECE.match(text, at)
        assert match is not None
        piece = match[0]
        depth = max(depth + (piece in "([{") - (piece in ")]}"), 0)
        begins = (piece == "\n" and not depth) or (begins and not piece.strip())
        made.append(piece)
        at = match.end()
    return "".join(made)


def _magic(text: str, at: int, *, automatic: bool) -> tuple[int, str] | None:
    """Where a magic ends that begins here, and what does for it; None where none begins."""
    timed = _TIMED.match(text, at)
    if timed is not None:
        return timed.end(), "if 1: "
    rest = _REST.match(text, at)
    assert rest is not None
    assigned = _ASSIGNED.match(text, at)
    if assigned is not None:
        if assigned["timed"]:
            return assigned.end(), assigned["targets"] + " " * len(assigned["timed"])
        return rest.end(), assigned["targets"] + CALL
    if _MAGIC.match(text, at) or _HELP.match(text, at):
        return rest.end(), "pass"
    if automatic and _AUTOMATIC.match(text, at):
        return rest.end(), "pass"
    return None
