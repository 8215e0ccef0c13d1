"""Formatting: the texts that are put together of what is known."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, Any

from torchlint.interpreter import contents
from torchlint.interpreter.values import UNKNOWN, Const

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


FIELDS: tuple[type[Any], ...] = (ast.FormattedValue,)
"""What stands for a value in a formatted string, and in a template."""
if sys.version_info >= (3, 14):
    FIELDS = (ast.FormattedValue, ast.Interpolation)


def parts(node: ast.JoinedStr) -> list[ast.FormattedValue]:
    """What is put into a format."""
    return [part for part in node.values if isinstance(part, FIELDS)]


def text(node: ast.JoinedStr, values: list[Value]) -> Value:
    """The text that a format gives where all that goes into it is known."""
    known = [value.value for value in values if isinstance(value, Const)]
    plain = all(type(one) in {int, str} for one in known) and len(known) == len(values)
    if not plain or any(part.format_spec or part.conversion != -1 for part in parts(node)):
        return UNKNOWN
    given = iter(known)
    texts = (part.value if isinstance(part, ast.Constant) else next(given) for part in node.values)
    return contents.bounded(Const("".join(map(str, texts))))
