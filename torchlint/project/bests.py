"""Running bests: what is kept where something turns out better than all before."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.project import around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.regions import Region

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_ENDS = (ast.Break, ast.Return)


def name_of_best(region: Region, kept: ast.expr) -> str:
    """The name that a value is given as the best one in a loop, if it is read after that.

    It may be a key of what has the name, or an attribute, which other methods may read. It stands
    under a comparison with what is set along with it: ``if acc > best_acc``.
    """
    path = around.path(region, kept)
    loops = [outer for outer in path if isinstance(outer, _LOOPS)]
    tests = [outer for outer in path if isinstance(outer, ast.If)]
    if not loops or not tests or loops[-1] not in path[: path.index(tests[-1])]:
        return ""
    assignment, test = path[-2], tests[-1]
    match assignment:
        case ast.Assign(
            targets=[ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) as target]
        ) if assignment in test.body:
            if _is_raised(test) and _is_read_after(region, loops[-1], name):
                return ast.unparse(target)
        case ast.Assign(targets=[ast.Attribute(value=ast.Name()) as target]) if (
            assignment in test.body
        ):
            if _is_raised(test) and _is_read_outside(region, loops[-1], ast.unparse(target)):
                return ast.unparse(target)
    return ""


def end_kept(region: Region, metric: ast.expr) -> str:
    """Which end of a metric a function keeps as the best: ``greatest``, ``least``, or none."""
    told, found = ast.unparse(metric), set()
    for node in ast.walk(region.statement):
        match node:
            case ast.If(test=test, body=body):
                sides = test.values if isinstance(test, ast.BoolOp) else [test]
                for end, other in filter(None, (_beaten(side, told) for side in sides)):
                    if any(_is_set(each, other, told) for each in body):
                        found.add(end)
            case ast.Assign(
                targets=[target],
                value=ast.Call(func=ast.Name(id="max" | "min" as end), args=[one, two]),
            ) if {ast.unparse(one), ast.unparse(two)} == {ast.unparse(target), told}:
                found.add("greatest" if end == "max" else "least")
    return found.pop() if len(found) == 1 else ""


def _beaten(test: ast.expr, told: str) -> tuple[str, str] | None:
    """The end at which a comparison sees a metric beyond something, and that."""
    match test:
        case ast.Compare(left=left, ops=[ast.Gt() | ast.GtE()], comparators=[right]):
            great, small = ast.unparse(left), ast.unparse(right)
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE()], comparators=[right]):
            great, small = ast.unparse(right), ast.unparse(left)
        case _:
            return None
    if told not in {great, small}:
        return None
    return ("greatest", small) if told == great else ("least", great)


def _is_set(statement: ast.stmt, name: str, value: str) -> bool:
    """Whether a statement gives something the value of something else, be it along with others."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pairs = list(zip(targets, values, strict=False))
        case ast.Assign(targets=targets, value=given):
            pairs = [(target, given) for target in targets]
        case _:
            return False
    return any((ast.unparse(one), ast.unparse(other)) == (name, value) for one, other in pairs)


def _is_raised(test: ast.If) -> bool:
    """Whether what a test compares is set where it holds, and the loop goes on after that."""
    compared = set()
    for each in ast.walk(test.test):
        if isinstance(each, ast.Compare):
            compared |= {ast.unparse(side) for side in (each.left, *each.comparators)}
    within = [each for statement in test.body for each in ast.walk(statement)]
    return not any(isinstance(each, _ENDS) for each in within) and any(
        ast.unparse(target) in compared for target in _targets(test.body)
    )


def _targets(body: list[ast.stmt]) -> Iterator[ast.expr]:
    for statement in body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                yield from target.elts if isinstance(target, ast.Tuple) else (target,)


def _is_read_after(region: Region, loop: ast.AST, name: str) -> bool:
    """Whether a name is read behind a loop."""
    end = getattr(loop, "end_lineno", 0)
    return any(
        isinstance(each, ast.Name)
        and each.id == name
        and isinstance(each.ctx, ast.Load)
        and each.lineno > end
        for each in region.parents
    )


def _is_read_outside(region: Region, loop: ast.AST, attribute: str) -> bool:
    """Whether an attribute is read in the file outside of a loop."""
    place, lines = region.place(loop), region.outline.text.split("\n")
    outside = "\n".join((*lines[: place.line - 1], *lines[place.end_line :]))
    read = rf"(?<![\w.]){re.escape(attribute)}\b(?!\w|[ \t]*(?:=(?!=)|:))"
    return re.search(read, outside) is not None
