"""Options of the command line: what they are where nobody says otherwise."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.outline import Outline

_ADDING = "add_argument"


def default(outline: Outline, name: str) -> ast.expr | None:
    """What the parser of a file makes of an option that is not given, if that is written there."""
    for call in _added(outline):
        keywords = {each.arg: each.value for each in call.keywords}
        match keywords.get("dest"):
            case ast.Constant(value=str(told)):
                names = {told}
            case _:
                names = {
                    given.value.lstrip("-").replace("-", "_")
                    for given in call.args
                    if isinstance(given, ast.Constant) and isinstance(given.value, str)
                }
        if name in names:
            return keywords.get("default")
    return None


def _added(outline: Outline) -> Iterator[ast.Call]:
    """The calls that tell a parser of an option."""
    functions = (each.region for each in outline.definitions if not each.is_class)
    for region in (*outline.statements, *functions):
        if f".{_ADDING}(" in region.text:
            for statement in region.statements:
                for node in ast.walk(statement):
                    match node:
                        case ast.Call(func=ast.Attribute(attr=str(called))) if called == _ADDING:
                            yield node
