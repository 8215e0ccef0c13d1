"""Samplers as they are written: what they hand to the constructor of their base."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.project.children import children

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHOOSING = (ast.If, ast.IfExp, ast.Try, ast.FunctionDef, ast.Lambda)


def handed_up(constructor: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Call]:
    """The calls of its base's constructor that hand on more than the object.

    What is only tried, or done in one case of several, may be done otherwise in the others.
    """
    pending: list[ast.AST] = list(constructor.body)
    while pending:
        node = pending.pop()
        if isinstance(node, _CHOOSING):
            continue
        if isinstance(node, ast.Call) and _hands_up(node):
            yield node
        pending.extend(children(node))


def _hands_up(call: ast.Call) -> bool:
    match call:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")
        ):
            return bool(call.args or call.keywords)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=base), attr="__init__"), args=[_, *more]
        ):
            return base[:1].isupper() and bool(more or call.keywords)
    return False
