"""Reach: whether a function may come back to what a call in it gives, or hands it on."""

from __future__ import annotations

import ast

from torchlint.project.children import children

_PUTTING = frozenset({"append", "appendleft", "add", "extend", "insert", "put"})


def is_in_reach(function: ast.AST, call: ast.AST) -> bool:
    """Whether what a call gives has a name that is read, is kept by an object, or is returned."""
    parents = {child: node for node in ast.walk(function) for child in children(node)}
    return _is_kept(parents, call, frozenset())


def _is_kept(parents: dict[ast.AST, ast.AST], node: ast.AST, seen: frozenset[str]) -> bool:
    around = parents.get(node)
    match around:
        case ast.Expr() | None:
            return False
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=put)) if put in _PUTTING:
            return _is_read(parents, name, seen)
        case ast.Assign(targets=targets):
            return any(_is_given(parents, each, seen) for each in targets)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return _is_given(parents, target, seen)
        case ast.Compare():
            return False  # That there is something asks nothing of it.
        case ast.stmt() | ast.Call():
            return True
    return _is_kept(parents, around, seen)


def _is_given(parents: dict[ast.AST, ast.AST], target: ast.expr, seen: frozenset[str]) -> bool:
    match target:
        case ast.Name(id=name):
            return _is_read(parents, name, seen)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_is_given(parents, part, seen) for part in parts)
    return True


def _is_read(parents: dict[ast.AST, ast.AST], name: str, seen: frozenset[str]) -> bool:
    reads = (
        node
        for node in parents
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    )
    return name not in seen and any(
        not _is_put_into(parents, read) and _is_kept(parents, read, seen | {name}) for read in reads
    )


def _is_put_into(parents: dict[ast.AST, ast.AST], read: ast.AST) -> bool:
    """Whether a name stands there for what something is put into."""
    match parents[read]:
        case ast.Attribute(attr=put):
            return put in _PUTTING
    return False
