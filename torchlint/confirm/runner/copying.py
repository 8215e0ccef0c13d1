"""Lets code read the globals and the closure of its own functions, as what copies one does.

No event tells of these two attributes, and by those of an observer one gets at all that it rests
on. Where code reads them it is compiled to ask here, and what hears of events looks at whose the
function is (``guard.py``).
"""

from __future__ import annotations

import ast
import copy
import sys
import types
import warnings
from typing import Any

READS = "torchlint.reads"
_NAMES = ("__globals__", "__closure__")
# Stands for the function that is asked, which no name leads to that could be given another meaning.
_ASKED = "\0what reads it\0"
_tell = sys.audit


def compiled(tree: ast.Module, file: str, flags: int = 0) -> types.CodeType:
    """The code of a module; texts that could become such a name are left to the guard."""
    code: types.CodeType = compile(tree, file, "exec", flags, dont_inherit=True)
    if not _speaks_of(code):
        return code
    asking = ast.fix_missing_locations(_Asking().visit(copy.deepcopy(tree)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # a text is called
        code = compile(asking, file, "exec", flags, dont_inherit=True)
    return _with_reader(code)


def _speaks_of(code: types.CodeType) -> bool:
    inner = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return any(name in code.co_names for name in _NAMES) or any(map(_speaks_of, inner))


class _Asking(ast.NodeTransformer):
    """Has attributes that are read asked for."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """The number of the name in the place of the name."""
        self.generic_visit(node)
        if node.attr not in _NAMES or not isinstance(node.ctx, ast.Load):
            return node
        number = ast.Constant(_NAMES.index(node.attr))
        return ast.copy_location(ast.Call(ast.Constant(_ASKED), [node.value, number], []), node)


def _with_reader(code: types.CodeType) -> types.CodeType:
    parts = (_with_reader(p) if isinstance(p, types.CodeType) else p for p in code.co_consts)
    return code.replace(co_consts=tuple(_read if part == _ASKED else part for part in parts))


def _read(thing: Any, number: int) -> Any:
    _tell(READS, thing, _NAMES[number])
    return getattr(thing, _NAMES[number])
