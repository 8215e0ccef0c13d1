"""Findings where nothing is wrong, made to see that execution does not confirm them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchlint.findings import Finding, Place
from torchlint.registry import Rule

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Return)


def at_line(rule: Rule, path: str, text: str, line: int) -> Finding:
    """The rule's finding at the statement that begins on a line, or at the code of the line."""
    for node, scope in statements(ast.parse(text)):
        if node.lineno == line:
            return at(rule, place_of(node, path, text), scope)
    code = text.splitlines()[line - 1].partition("#")[0].rstrip()
    begin = len(code) - len(code.lstrip())
    place = Place(path, line, begin + 1, line, len(code) + 1)
    return at(rule, place, scope_of(ast.parse(text), line))


def everywhere(rule: Rule, path: str, text: str) -> list[Finding]:
    """The rule's finding at whatever could hold one."""
    return [
        at(rule, place_of(node if isinstance(node, ast.AugAssign) else value, path, text), scope)
        for node, scope in statements(ast.parse(text))
        for value in [getattr(node, "value", None)]
        if value is not None and any(isinstance(part, WORKS) for part in ast.walk(node))
    ]


# A constant and a name alone do nothing that a rule speaks of.
WORKS = (ast.Call, ast.BinOp, ast.AugAssign)


def at(rule: Rule, place: Place, scope: str) -> Finding:
    return Finding(rule.code, rule.name, rule.level, rule.summary, place, scope)


def statements(tree: ast.AST, scope: str = "") -> Iterator[tuple[ast.stmt, str]]:
    """The statements that hold no others, with the dotted name of what they are in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, SCOPES):
            yield from statements(node, f"{scope}.{node.name}".lstrip("."))
        elif isinstance(node, SIMPLE):
            yield node, scope
        else:
            yield from statements(node, scope)


def scope_of(tree: ast.AST, line: int) -> str:
    """The dotted name of the function or class that the line is in."""
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, SCOPES) and child.lineno <= line <= (child.end_lineno or 0):
                return f"{child.name}.{scope_of(child, line)}".rstrip(".")
    return ""


def place_of(node: ast.expr | ast.stmt, path: str, text: str) -> Place:
    """The place of a node, in code points where ``ast`` counts bytes."""
    lines = text.splitlines()

    def column(line: int, offset: int) -> int:
        return len(lines[line - 1].encode()[:offset].decode()) + 1

    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    start, end = node.lineno, node.end_lineno
    return Place(path, start, column(start, node.col_offset), end, column(end, node.end_col_offset))
