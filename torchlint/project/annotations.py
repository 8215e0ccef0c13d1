"""Annotations: what is annotated where it is assigned is assigned all the same."""

from __future__ import annotations

import ast
import re
import sys

from torchlint.sources.patterns import Pattern

ANNOTATION = Pattern(
    r"^([ \t]*+(?!(?:else|try|finally|except)\b)[\w.]++)[ \t]*+:[ \t]*+[^\n=#:]++(?==(?!=))",
    re.MULTILINE,
)
"""What tells the type of a name at the beginning of a line, after the name itself."""

_ANNOTATED = Pattern(r"\n[ \t]*+[\w.]++[ \t]*+:[ \t]*+[^\s#:=][^\n=#:]*+=(?!=)(?![^\n]*,[ \t]*\n)")
"""The same, found faster, where the line is no parameter's."""


def may_annotate(text: str) -> bool:
    """Whether something may be annotated as it is assigned."""
    return ":" in text and _ANNOTATED.search(f"\n{text}") is not None


def unannotated(body: list[ast.stmt], text: str, *, in_class: bool) -> list[ast.stmt]:
    """The statements of a text, in place: annotated assignments are plain ones.

    Fields of classes stay as they are.
    """
    if not may_annotate(text):
        return body
    return _plain_fields(body) if in_class else _plain(body)


def assigning(node: ast.stmt) -> ast.stmt:
    """A statement; if it gives a type another name, the assignment that did so before Python 3.12.

    One with parameters is another type for each, and stays as it is.
    """
    if sys.version_info >= (3, 12) and isinstance(node, ast.TypeAlias) and not node.type_params:
        return ast.copy_location(ast.Assign([node.name], node.value), node)
    return node


def _plain_fields(body: list[ast.stmt]) -> list[ast.stmt]:
    return [each if isinstance(each, ast.AnnAssign) else _plain_one(each) for each in body]


def _plain(body: list[ast.stmt]) -> list[ast.stmt]:
    return [_plain_one(each) for each in body]


def _plain_one(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.AnnAssign):
        if node.value is None:
            return node
        return ast.copy_location(ast.Assign([node.target], node.value), node)
    if isinstance(node, ast.ClassDef):
        node.body = _plain_fields(node.body)
        return node
    for name in ("body", "orelse", "finalbody"):
        if within := getattr(node, name, None):
            setattr(node, name, _plain(within))
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        part.body = _plain(part.body)
    return node
