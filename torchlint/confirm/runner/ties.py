"""Looks at weights that are tied: whether they are one parameter, or two with one memory."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torch import nn

if TYPE_CHECKING:
    from .aftermath import Aftermath
    from .tally import Answer


def half_tied(seen: Aftermath) -> Answer:
    """Whether the statement has given one parameter the memory of another."""
    match seen.statement:
        case ast.Assign(targets=[target], value=value):
            one, other = _parameter(seen, target), _parameter(seen, value)
        case _:
            return None
    if one is None or other is None:
        return None
    if one is other:
        return False
    if one.data_ptr() != other.data_ptr():
        return None
    return "two parameters share one memory, and each has a gradient of its own"


def _parameter(seen: Aftermath, node: ast.expr) -> nn.Parameter | None:
    """What an expression is about, under ``.data`` and the call that makes a parameter."""
    match node:
        case ast.Call(args=[inner]) | ast.Attribute(value=inner, attr="data"):
            return _parameter(seen, inner)
    text = ast.unparse(node)
    value = seen.value(ast.parse(text, mode="eval").body)
    return value if isinstance(value, nn.Parameter) else None
