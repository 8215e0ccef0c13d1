"""What stands around a node of a region, and what comes before it there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchlint.project.regions import Region


def path(region: Region, node: ast.AST) -> list[ast.AST]:
    """What a node stands in, from the outside in, and the node itself."""
    if node not in region.parents and node not in region.statements:
        return []
    found = [node]
    while (outer := region.parents.get(found[-1])) is not None:
        found.append(outer)
    return found[::-1]


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


def before(outer: ast.AST, inner: ast.AST) -> list[ast.stmt]:
    """The statements that stand before one in the same block."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(outer, name, None)
        if isinstance(block, list) and inner in block:
            return block[: block.index(inner)]
    return []
