"""Of what folders and which name the path of a file is put together, in whatever way."""

from __future__ import annotations

import ast
from functools import reduce

_JOIN = "os.path.join("


def of(path: ast.expr) -> list[ast.expr]:
    """The parts of a path, as a call, an operator or a formatted string joins them; else none."""
    match path:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Attribute(value=ast.Name(id="os"), attr="path"), attr="join"
            ),
            args=parts,
        ):
            return parts
        case ast.BinOp(left=folder, op=ast.Div(), right=name):
            return [folder, name]
        case ast.BinOp(left=folder, op=ast.Add(), right=ast.Constant() as rest):
            return _below(folder, [rest])
        case ast.BinOp(left=folder, op=ast.Add(), right=ast.JoinedStr(values=rest)):
            return _below(folder, rest)
        case ast.JoinedStr(values=[ast.FormattedValue(value=folder), *rest]):
            return _below(folder, rest)
    return []


def _below(folder: ast.expr, text: list[ast.expr]) -> list[ast.expr]:
    """A folder and what is named behind the slash that a text begins with; nothing without one."""
    match text:
        case [ast.Constant(value="/"), ast.FormattedValue(value=name)]:
            return [folder, name]
        case [ast.Constant(value=str(start)), *more] if start.startswith("/"):
            return [folder, ast.JoinedStr([ast.Constant(start[1:]), *more])]
    return []


def joined(parts: list[str]) -> str:
    """A path in the one way in which paths are compared."""
    return reduce(lambda folder, name: f"{within(folder)}{name})", parts)


def within(folder: str) -> str:
    """What the path of whatever lies in a folder begins with."""
    is_joined = folder.startswith(_JOIN) and folder.endswith(")")
    return f"{folder[:-1] if is_joined else _JOIN + folder}, "
