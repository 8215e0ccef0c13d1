"""Syntax: what ``ast`` leaves to be asked of its nodes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.project.children import children
from torchlint.project.idioms import RESHAPED

if TYPE_CHECKING:
    from collections.abc import Iterator

    Loop = ast.For | ast.AsyncFor | ast.While
    Definition = ast.FunctionDef | ast.AsyncFunctionDef

LOOPS = (ast.For, ast.AsyncFor, ast.While)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

_LAYOUT = frozenset({"ctx", "kind", "type_comment"})


def given(call: ast.Call) -> list[ast.expr]:
    """What a call is given, without stars and keywords, in order."""
    values = [item.value if isinstance(item, ast.Starred) else item for item in call.args]
    return [*values, *(keyword.value for keyword in call.keywords)]


def named(call: ast.Call, name: str) -> ast.expr | None:
    """What a call is given for a keyword."""
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def positional(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.arg]:
    """The parameters that take what is given by position."""
    return [*node.args.posonlyargs, *node.args.args]


def defaults(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
) -> dict[str, ast.expr]:
    """The defaults of the parameters that have one, by name."""
    taking = positional(node)
    found = dict(
        zip(
            (item.arg for item in taking[len(taking) - len(node.args.defaults) :]),
            node.args.defaults,
            strict=True,
        )
    )
    for parameter, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if default is not None:
            found[parameter.arg] = default
    return found


def alike(one: object, other: object) -> bool:
    """Whether two nodes are written the same, layout aside."""
    if type(one) is not type(other):
        return False
    if isinstance(one, ast.AST):
        return all(
            alike(getattr(one, field, None), getattr(other, field, None))
            for field in one._fields
            if field not in _LAYOUT
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return one == other


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all that is in it, the last parts first."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(children(current))


def is_super(node: ast.expr) -> bool:
    """Whether an expression is ``super()``, for which the object has names of its own."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def is_none(node: ast.expr) -> bool:
    """Whether an expression is the word ``None``."""
    return isinstance(node, ast.Constant) and node.value is None


def is_number(node: ast.AST) -> bool:
    """Whether an expression is a number, written out without a sign."""
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float))
        and not isinstance(node.value, bool)
    )


def whole_number(node: ast.AST) -> int | None:
    """The whole number that an expression is, written out, with a sign or without; else None."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
            return -number
    return None


def as_made(node: ast.expr) -> ast.expr:
    """What an expression casts or brings into another form, or wraps as torch once did."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call() as inner, attr=attr)) if attr in RESHAPED:
            return as_made(inner)
        case ast.Subscript(value=ast.Call() as inner, slice=key) if _adds_dimensions(key):
            return as_made(inner)
        case ast.Call(
            func=ast.Name(id="Variable") | ast.Attribute(attr="Variable"),
            args=[ast.Call() as inner],
        ):
            return as_made(inner)
    return node


def _adds_dimensions(key: ast.expr) -> bool:
    """Whether an index takes all that there is, in more dimensions: ``[None, :]``."""
    return all(
        is_none(each) or (isinstance(each, ast.Slice) and ast.unparse(each) == ":")
        for each in (key.elts if isinstance(key, ast.Tuple) else [key])
    )


def is_taken_apart(parent: ast.AST | None) -> bool:
    """Whether what stands around an expression takes its value for several things."""
    match parent:
        case ast.Assign(targets=[ast.Tuple() | ast.List(), *_]) | ast.Subscript():
            return True
    return False
