"""Trainings: calls that train, and save on the way, by what they lead to in the project."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project import around, trails
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.project.index import Index
    from torchlint.project.regions import Region, Spot

SAVING = Pattern(r"^(?!\s*def\b)[^#`\n]*(?:\b|_)save(?!_hyper|d)\w*\(", re.MULTILINE)
"""What saves something, by its name."""

_TRAINS = Pattern(r"(?:^|_)(?:train|fit)$")
_DEEPEST = 3


def have_saved(index: Index, load: Spot) -> bool:
    """Whether a statement before a load calls what has trained something, and has saved it."""
    return any(_has_saved(index, load.region, call) for call in calls_before(load))


def calls_before(load: Spot) -> Iterator[ast.Call]:
    """The calls that are statements before a load, or give what one assigns."""
    for outer, inner in pairwise(around.path(load.region, load.node)):
        yield from calls_in(around.before(outer, inner))


def calls_in(block: Iterable[ast.stmt]) -> Iterator[ast.Call]:
    """The calls that are statements of a block, whose loops are taken to have had their rounds."""
    for statement in block:
        match statement:
            case ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
                yield call
            case ast.For(body=body) | ast.While(body=body):
                yield from calls_in(body)


def _has_saved(index: Index, region: Region, call: ast.Call) -> bool:
    found = _meant(index, region, call)
    if found is None or found.is_class:
        return False
    reached = list(_reached(index, found))
    trains = _TRAINS.search(found.name) or any("backward(" in each.region.code for each in reached)
    return bool(trains) and any(
        "torch.save(" in each.region.code
        or (not each.is_class and SAVING.search(each.region.code) is not None)
        for each in reached
    )


def _reached(index: Index, start: Definition) -> Iterator[Definition]:
    """A function, the functions that it leads to, and the classes of which they make objects."""
    seen, pending = {start}, [(start, 0)]
    while pending:
        each, depth = pending.pop()
        yield each
        if each.is_class or depth == _DEEPEST:
            continue
        for node in ast.walk(each.region.statement):
            called = _meant(index, each.region, node) if isinstance(node, ast.Call) else None
            if called is not None and called not in seen:
                seen.add(called)
                pending.append((called, depth + 1))


def _meant(index: Index, region: Region, call: ast.Call) -> Definition | None:
    """The function or class of the project, or the method of the same object, that is called."""
    name = trails.called(call)
    owner = region.scope.rpartition(".")[0]
    if owner and name.startswith("self."):
        method = f"{owner}.{name.removeprefix('self.')}"
        return next((each for each in region.outline.definitions if each.qualname == method), None)
    meant = index.meaning(region.outline, name) if name else None
    return meant if isinstance(meant, Definition) else None
