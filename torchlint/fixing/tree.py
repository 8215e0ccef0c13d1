"""Where a node stands among the others: what encloses it, and the statement that it is part of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.fixing.written import Written


Block = cst.IndentedBlock | cst.SimpleStatementSuite
Statement = cst.BaseCompoundStatement | cst.BaseSmallStatement


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all that is in it, in the order of the text."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(current.children))


def parent(region: Written, node: cst.CSTNode) -> cst.CSTNode | None:
    """What a node stands in; None at the region's top."""
    path = region.chain(node)
    return path[1] if len(path) > 1 else None


def statement(region: Written, node: cst.CSTNode) -> Statement | None:
    """The innermost statement that a node is or is part of; an ``elif`` is part of its ``if``."""
    path = region.chain(node)
    for item, outer in zip(path, (*path[1:], None), strict=True):
        if isinstance(outer, cst.If) and outer.orelse is item:
            continue
        if isinstance(item, (cst.BaseCompoundStatement, cst.BaseSmallStatement)):
            return item
    return None


def block(region: Written, node: cst.CSTNode) -> Block | None:
    """The block that a node's statement is in; None at the region's top."""
    for item in region.chain(node)[1:]:
        if isinstance(item, (cst.IndentedBlock, cst.SimpleStatementSuite)):
            return item
    return None


def names(node: cst.CSTNode) -> list[str]:
    """The names that stand in a node, each as often as it does."""
    return [part.value for part in walk(node) if isinstance(part, cst.Name)]


def assigned(node: cst.CSTNode) -> set[str]:
    """The names that are given values in a node."""
    found: set[str] = set()
    for part in walk(node):
        match part:
            case (
                cst.AssignTarget(target=target)
                | cst.AnnAssign(target=target)
                | cst.For(target=target)
            ):
                found.update(names(target))
            case cst.AsName(name=target) | cst.NamedExpr(target=target):
                found.update(names(target))
    return found
