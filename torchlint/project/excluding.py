"""Tests that cannot both have come out as two places of an object's class take them to."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project import around
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.regions import Spot

_OWN = Pattern(r"\bself\.")

Fact = tuple[ast.expr, bool]
"""A test, and how it has come out."""


def exclude(used: Spot, built: Spot) -> bool:
    """Whether what a constructor has built is not what a method uses, by tests of one setting.

    The object keeps the setting under the name by which the constructor was given it.
    """
    asked = [fact for fact in facts(used) if _OWN.search(ast.unparse(fact[0]))]
    return bool(asked) and any(_contradict(one, other) for other in facts(built) for one in asked)


def are_apart(one: Spot, other: Spot) -> bool:
    """Whether the tests of a function take it to one of two of its places only."""
    return one.region is other.region and any(
        _contradict(first, second) for first in facts(one) for second in facts(other)
    )


def facts(spot: Spot) -> Iterator[Fact]:
    """The tests that an ``if`` around a place asks, as they have come out there."""
    for outer, inner in pairwise(around.path(spot.region, spot.node)):
        if isinstance(outer, ast.If) and inner is not outer.test:
            yield from _parts(outer.test, inner in outer.body)


def _parts(test: ast.expr, holds: bool) -> Iterator[Fact]:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _parts(operand, not holds)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is holds:
            for each in values:
                yield from _parts(each, holds)
        case _:
            yield test, holds


def _contradict(one: Fact, other: Fact) -> bool:
    if _text(one[0]) == _text(other[0]):
        return one[1] is not other[1]
    match one, other:
        case (
            (ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(first)]), True),
            (ast.Compare(left=right, ops=[ast.Eq()], comparators=[ast.Constant(second)]), True),
        ):
            return _text(left) == _text(right) and first != second
    return False


def _text(test: ast.expr) -> str:
    return _OWN.sub("", ast.unparse(test))
