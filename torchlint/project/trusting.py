"""Trust: what a program says of whom to trust with what is loaded, or leaves to its caller."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project import around
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.regions import Region

_LOOKED_AT = Pattern(
    r"#\s*nosec\b(?!\s*:?\s*B\d)|#\s*nosec\b[^#\n]*\bB(?:614|301)\b"
    r"|#\s*noqa\s*:[^#\n]*\bS(?:614|301)\b"
)
_TRUSTS = Pattern(r"\b(?:un)?trust(?:ed|s|worthy)?\b(?![-\s]region)", re.IGNORECASE)
_CHOICE = Pattern(
    r"(?:^|_)(?:un)?trust(?!_region)|unsafe|insecure|safe_(?:load|mode)|weights_only|allow_pickle"
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CONDITIONS = (ast.If, ast.IfExp)


def is_spoken_of(region: Region, load: ast.AST) -> bool:
    """Whether it is said that the safety of a load was looked at, or whom to trust with it.

    It is said to bandit, or to its rules in ruff, on any line of the call, in a comment there or
    before, in what the function says of itself, or in what is told just before it is done.
    """
    place = region.place(load)
    if _LOOKED_AT.search(region.outline.lines(place.line, place.end_line)):
        return True
    return any(map(_TRUSTS.search, (region.comment_on(load), *_told(region, load))))


def is_left_to_the_caller(region: Region, load: ast.AST) -> bool:
    """Whether a setting of that name is asked first: whoever calls it has to choose it."""
    for outer, inner in pairwise(around.path(region, load)):
        asked = [outer] if isinstance(outer, _CONDITIONS) and inner is not outer.test else []
        left = [
            before
            for before in around.before(outer, inner)
            if isinstance(before, ast.If) and isinstance(before.body[-1], (ast.Return, ast.Raise))
        ]
        if any(_is_choice(each.test) for each in (*asked, *left)):
            return True
    return False


def _told(region: Region, load: ast.AST) -> Iterator[str]:
    """What a function says of itself, and what is printed, warned of or logged before a load."""
    for outer, inner in pairwise(around.path(region, load)):
        if isinstance(outer, _FUNCTIONS):
            yield ast.get_docstring(outer) or ""
        for statement in around.before(outer, inner):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                yield " ".join(_texts(statement.value))


def _texts(call: ast.Call) -> Iterator[str]:
    for part in ast.walk(call):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def _is_choice(test: ast.expr) -> bool:
    """Whether a condition is a setting that is named for what may be loaded."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _is_choice(inner)
        case ast.BoolOp(values=values):
            return any(map(_is_choice, values))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _CHOICE.search(name) is not None
    return False
