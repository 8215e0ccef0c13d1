"""What stands around a node of a region, and what comes before it there."""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchlint.project.regions import Region, Spot


def path(region: Region, node: ast.AST) -> list[ast.AST]:
    """What a node stands in, from the outside in, and the node itself."""
    if node not in region.parents and node not in region.statements:
        return []
    found = [node]
    while (outer := region.parents.get(found[-1])) is not None:
        found.append(outer)
    return found[::-1]


_EXPECTING = frozenset(
    "raises warns deprecated_call "
    "assertRaises assertRaisesRegex assertWarns assertWarnsRegex".split()
)


def manager(item: ast.withitem) -> str:
    """The last name of what is entered by ``with``, or of what is called for it."""
    entered = item.context_expr
    match entered.func if isinstance(entered, ast.Call) else entered:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def sees_failure(item: ast.withitem) -> bool:
    """Whether what stands below ``with`` is there to see that it raises or warns."""
    return manager(item) in _EXPECTING


def is_seen_to_fail(region: Region, node: ast.AST) -> bool:
    """Whether a node is what a test sees raise or warn: whatever is wrong is so on purpose."""
    return any(
        isinstance(outer, (ast.With, ast.AsyncWith))
        and inner in outer.body
        and any(map(sees_failure, outer.items))
        for outer, inner in itertools.pairwise(path(region, node))
    )


def are_alternatives(region: Region, one: ast.AST, other: ast.AST) -> bool:
    """Whether two nodes stand in the two arms of one ``if``, so that one of them is reached."""
    first, second = path(region, one), path(region, other)
    for number, outer in enumerate(first):
        if number + 1 >= min(len(first), len(second)) or outer is not second[number]:
            return False
        if isinstance(outer, ast.If):
            arms = [step[number + 1] in outer.orelse for step in (first, second)]
            if arms[0] is not arms[1]:
                return True
    return False


def tests(region: Region, node: ast.AST) -> list[tuple[ast.expr, bool]]:
    """The tests of each ``if`` that a node stands in, and whether they hold there."""
    found = path(region, node)
    return [
        (outer.test, inner not in (outer.orelse if isinstance(outer, ast.If) else [outer.orelse]))
        for outer, inner in itertools.pairwise(found)
        if isinstance(outer, (ast.If, ast.IfExp)) and inner is not outer.test
    ]


_PLAIN = (ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp)


def is_settled(region: Region, test: ast.expr) -> bool:
    """Whether a test is of names and constants, and no statement sets one of these names anew.

    What a loop goes through is the same all through a round.
    """
    parts = [each for each in ast.walk(test) if isinstance(each, ast.expr)]
    if not all(isinstance(each, _PLAIN) for each in parts):
        return False
    names = {each.id for each in parts if isinstance(each, ast.Name)}
    return not any(
        isinstance(each, ast.Name)
        and isinstance(each.ctx, ast.Store)
        and each.id in names
        and not isinstance(outer, (ast.For, ast.AsyncFor))
        for each, outer in region.parents.items()
    )


def before(outer: ast.AST, inner: ast.AST) -> list[ast.stmt]:
    """The statements that stand before one in the same block."""
    block = _block(outer, inner)
    return block[: block.index(inner)] if inner in block else []


def after(outer: ast.AST, inner: ast.AST) -> list[ast.stmt]:
    """The statements that stand after one in the same block."""
    block = _block(outer, inner)
    return block[block.index(inner) + 1 :] if inner in block else []


def _block(outer: ast.AST, inner: ast.AST) -> list[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(outer, name, None)
        if isinstance(block, list) and inner in block:
            return block
    return []


_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)


def leads_on(one: Spot, other: Spot) -> bool:
    """Whether what comes to one place goes on to another, further down in the same block."""
    first, last = (_statement(spot.region, spot.node) for spot in (one, other))
    outer = other.region.parents.get(last)
    above = before(outer, last) if outer is not None else []
    return (
        isinstance(first, ast.stmt)
        and first in above
        and not any(
            isinstance(part, _LEAVING)
            for each in above[above.index(first) :]
            for part in ast.walk(each)
        )
    )


def _statement(region: Region, node: ast.AST) -> ast.AST:
    """The innermost statement that a node is in."""
    return next((each for each in reversed(path(region, node)) if isinstance(each, ast.stmt)), node)
