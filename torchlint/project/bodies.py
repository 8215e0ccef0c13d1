"""Bodies: what the statements of a file or a class bind, and what they change."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def assigned(node: ast.stmt) -> Iterator[str]:
    """The names that a statement binds, but for those in its blocks."""
    match node:
        case ast.Assign(targets=targets):
            pass
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            targets = [target]
        case ast.For(target=target):
            targets = [target]
        case ast.With(items=items):
            targets = [item.optional_vars for item in items if item.optional_vars]
        case _:
            return
    pending = list(targets)
    while pending:
        match pending.pop():
            case ast.Name(id=name):
                yield name
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                pending.extend(elements)


def changed(node: ast.stmt) -> Iterator[str]:
    """The names of what a statement writes into or calls a method of, or one in its blocks sets."""
    match node:
        case (
            ast.Assign(targets=[ast.Subscript() as at])
            | ast.AugAssign(target=ast.Subscript() as at)
        ):
            yield dotted(at)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=held))):
            yield dotted(held)
        case _:
            for inner in blocks(node):
                yield from assigned(inner)
                yield from changed(inner)


def blocks(node: ast.stmt) -> Iterator[ast.stmt]:
    """The statements in a statement."""
    for field_name in ("body", "orelse", "finalbody"):
        yield from getattr(node, field_name, ())
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from part.body


def dotted(node: ast.expr | None) -> str:
    """The dotted name of an expression, or nothing; subscripts such as ``Dataset[T]`` are bare."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            inner = dotted(value)
            return f"{inner}.{attribute}" if inner else ""
        case ast.Subscript(value=value):
            return dotted(value)
    return ""
