"""Loops over parameters that give their name another value, which the module never sees."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.regions import Region

_LOOP = Pattern(
    r"^([ \t]*)for ([\w,() \t]*)\bin\b[^\n]*parameters\([^\n]*:[^\n]*\n((?:\1[ \t]+\S[^\n]*\n)+)",
    re.MULTILINE,
)
_GIVEN = Pattern(r"^[ \t]+(\w+) = [^\n]*[(*+/-]", re.MULTILINE)
_UNPACKED = Pattern(r"^[ \t]+\w+, *(\w+) = (\w+)$", re.MULTILINE)
_OF_TORCH = Pattern(r"(?:torch|F)\.\w+")
_GIVING = frozenset({"parameters", "named_parameters"})
_HANDING_ON = frozenset({"enumerate", "list", "tuple", "reversed"})
_TWISTED = (ast.Lambda, ast.FunctionDef, ast.Delete)
"""What makes the order of the lines say little about when a name is read."""


def may_be_in(text: str) -> bool:
    """Whether a stretch of code may hold such a loop."""
    if "parameters(" not in text:
        return False
    for _, target, body in _LOOP.findall(text):
        name = target.strip(" \t()").rpartition(",")[2].strip(" \t()")
        names = {name, *(inner for inner, of in _UNPACKED.findall(body) if of == name)}
        if not names.isdisjoint(_GIVEN.findall(body)):
            return True
    return False


def rebound(region: Region, loop: ast.For | ast.AsyncFor) -> Iterator[ast.Assign]:
    """What gives a parameter's name something computed, and is the last that is done with it."""
    if not _is_over_parameters(loop.iter):
        return
    nodes = [node for statement in loop.body for node in ast.walk(statement)]
    if any(isinstance(node, _TWISTED) for node in nodes):
        return
    names = set(_names(loop.target, nodes))
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() | ast.BinOp() as value):
                apart = _apart(nodes, node)
                again = _again(nodes, node)
                read = [
                    each
                    for each in nodes
                    if isinstance(each, ast.Name) and each.id == name and each not in apart
                ]
                last = max(each.lineno for each in read)
                inside = last <= (node.end_lineno or node.lineno) and again.isdisjoint(read)
                seen = inside and re.search(rf"\b{name}\b", _after(region, loop)) is None
                if name in names and seen and not _may_keep(region, value, name):
                    yield node


def _after(region: Region, loop: ast.AST) -> str:
    """The lines after a loop, in its function or in the file."""
    lines = region.outline.text.split("\n")
    return "\n".join(lines[region.place(loop).end_line : region.last if region.scope else None])


def _is_over_parameters(over: ast.expr) -> bool:
    match over:
        case ast.Call(func=ast.Attribute(attr=name)) if name in _GIVING:
            return True
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _HANDING_ON:
            return _is_over_parameters(inner)
    return False


def _names(target: ast.expr, nodes: list[ast.AST]) -> Iterator[str]:
    """What the loop calls its parameter: the last name, or that of what it is unpacked into."""
    while isinstance(target, (ast.Tuple, ast.List)):
        target = target.elts[-1]
    if not isinstance(target, ast.Name):
        return
    yield target.id
    for node in nodes:
        match node:
            case ast.Assign(
                targets=[ast.Tuple(elts=[*_, ast.Name(id=name)])], value=ast.Name(id=of)
            ):
                if of == target.id:
                    yield name


def _apart(nodes: list[ast.AST], step: ast.Assign) -> set[ast.AST]:
    """What stands in other branches than a step, and further down."""
    branches = [
        other
        for node in nodes
        if isinstance(node, ast.If)
        and any(each is step for statement in node.body for each in ast.walk(statement))
        for other in node.orelse
    ]
    return {each for branch in branches for each in ast.walk(branch)}


def _again(nodes: list[ast.AST], step: ast.Assign) -> set[ast.AST]:
    """What a loop within this one does besides a step: it may come after it as well."""
    found = {
        each
        for node in nodes
        if isinstance(node, (ast.For, ast.While)) and any(each is step for each in ast.walk(node))
        for each in ast.walk(node)
    }
    return found - set(ast.walk(step))


def _may_keep(region: Region, value: ast.expr, name: str) -> bool:
    """Whether what is computed may be the parameter itself, changed where it is."""
    calls = (node for node in ast.walk(value) if isinstance(node, ast.Call))
    return any(_takes(region, call, name) for call in calls)


def _takes(region: Region, call: ast.Call, name: str) -> bool:
    """Whether a call may change the parameter: functions of torch do so only if they say it."""
    called = region.text_of(call.func)
    if called.endswith("_"):
        return True
    if _OF_TORCH.fullmatch(called):
        return not {keyword.arg for keyword in call.keywords}.isdisjoint({"inplace", "out"})
    for each in (*call.args, *(keyword.value for keyword in call.keywords)):
        plain = each.value if isinstance(each, ast.Attribute) else each
        holds = not isinstance(each, ast.Attribute) or each.attr in {"data", "grad"}
        if isinstance(plain, ast.Name) and plain.id == name and holds:
            return True
    return False
