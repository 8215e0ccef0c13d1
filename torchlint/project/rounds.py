"""Rounds: what an earlier round of the loop has done in which something stands."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project import around

if TYPE_CHECKING:
    from torchlint.project.regions import Spot


def has_saved(load: Spot) -> bool:
    """Whether a file is loaded in a loop that saves some, once a test says it has been around."""
    region, counted = load.region, set[str]()
    saves = False
    for outer, inner in pairwise(around.path(region, load.node)):
        match outer:
            case ast.For(target=ast.Name(id=name)):
                counted.add(name)
                saves = "torch.save(" in region.text_of(outer)
            case ast.If(test=test, body=body, orelse=orelse) if saves:
                asked = {each.id for each in ast.walk(test) if isinstance(each, ast.Name)}
                is_first = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq)
                if counted & asked and inner in (orelse if is_first else body):
                    return True
    return False
