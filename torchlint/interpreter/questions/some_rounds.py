"""Which rounds of a loop come to a statement, by the tests that it stands behind."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.interpreter import syntax
from torchlint.project import around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Event
    from torchlint.interpreter.values import Spot


def decided(one: Event, other: Event) -> list[ast.expr]:
    """The tests that leave out one event in some rounds of the loop that another is always made in.

    They ask for what the loop counts or computes: what holds for all of its rounds decides nothing.
    Nothing is known where the other has tests of its own, or is in another loop.
    """
    loop, way = _within(other)
    same, inner = _within(one)
    if loop is None or loop is not same:
        return []
    known, own = set(_tests(way)), list(_tests(inner))
    if not known <= set(own):
        return []
    further = [test for test, holds in own if (test, holds) not in known]
    return [test for test in further if _asks_for_loop(test, loop)]


def counts(test: ast.expr, event: Event) -> bool:
    """Whether a test asks for every so many rounds of the loop around an event.

    It does so by a remainder, or by a number that goes up.
    """
    asked = _names(test)
    if any(isinstance(node, ast.Mod) for node in ast.walk(test)):
        return True
    loop, _ = _within(event)
    return loop is not None and any(
        isinstance(node, ast.AugAssign)
        and isinstance(node.op, ast.Add)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.target, ast.Name)
        and node.target.id in asked
        for node in ast.walk(loop)
    )


def is_in_loop(spot: Spot) -> bool:
    """Whether a place is in a loop of the function that it stands in, and not of a caller's."""
    return any(isinstance(each, syntax.LOOPS) for each in around.path(spot.region, spot.node))


def _within(event: Event) -> tuple[ast.AST | None, list[ast.AST]]:
    """The innermost loop of a function that an event is in, and the way from there."""
    way = around.path(event.spot.region, event.spot.node)
    for at in reversed(range(len(way))):
        if isinstance(way[at], syntax.LOOPS):
            return way[at], way[at:]
    return None, []


def _tests(way: list[ast.AST]) -> Iterator[tuple[ast.expr, bool]]:
    """The tests that a statement stands under, and whether they hold there.

    They do not behind an ``if`` that goes on to the next round. Given is what it stands in, from
    the loop inwards.
    """
    for outer, inner in pairwise(way):
        for name in ("body", "orelse"):
            block = getattr(outer, name, None)
            if not isinstance(block, list) or inner not in block:
                continue
            if isinstance(outer, ast.If):
                yield outer.test, name == "body"
            for each in block[: block.index(inner)]:
                if isinstance(each, ast.If) and isinstance(each.body[-1], ast.Continue):
                    yield each.test, False


def _asks_for_loop(test: ast.expr, loop: ast.AST) -> bool:
    """Whether a test asks for names that a loop gives values to."""
    asked = _names(test)
    return any(
        isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in asked
        for node in ast.walk(loop)
    )


def _names(test: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
