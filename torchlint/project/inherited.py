"""Classes whose objects all take over what another run has learned."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.project import around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.callings import Calling
    from torchlint.project.classes import Family


def is_always_loaded(family: Family) -> bool:
    """Whether each object of a class is given a state, strictly, further down the block.

    Its layers have to be those of the state, whatever the project does with them.
    """
    callings = family.index.callings.by_name(family.definition)
    return bool(callings) and not family.descendants and all(map(_is_loaded, callings))


def _is_loaded(calling: Calling) -> bool:
    """Whether what a call builds gets a name, by which all of a state is loaded into it."""
    for inner, outer in zip(calling.path, (*calling.path[1:], None), strict=True):
        match inner:
            case ast.Assign(targets=[target]):
                below = _below(calling) if outer is None else around.after(outer, inner)
                return any(_loads(each, ast.unparse(target)) for each in below)
            case ast.Call() | ast.Attribute():
                continue
        return False
    return False


def _below(calling: Calling) -> Iterator[ast.stmt]:
    """What stands below a statement at a file's top level."""
    for each in calling.region.outline.statements:
        if each.first > calling.region.last:
            yield from each.statements


def _loads(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=module, attr="load_state_dict"), args=[_], keywords=[]
            )
        ):
            return ast.unparse(module) == name
    return False
