"""Classes of modules: what their constructors leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot

_CONSTRUCTORS = frozenset({"__init__", "__post_init__"})


def begin_module(assigned: Spot) -> Repair | None:
    """Call ``super().__init__()`` first, where nothing in the constructor calls another one."""
    region = assigned.region
    function = region.statement
    if not isinstance(function, cst.FunctionDef) or function.name.value not in _CONSTRUCTORS:
        return None
    if "super" in region.text or region.text.count("__init__") > 1:
        return None
    body = list(function.body.body)
    if len(body) > 1 and function.get_docstring() is not None:
        del body[0]
    made = edits.inserted_before(region, _first(body[0]), "super().__init__()")
    return Repair("Call `super().__init__()` first", Safety.SAFE, made) if made else None


def _first(line: cst.CSTNode) -> cst.CSTNode:
    """The first statement of a line."""
    return line.body[0] if isinstance(line, cst.SimpleStatementLine) else line
