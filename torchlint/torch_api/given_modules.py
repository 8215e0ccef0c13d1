"""Attributes that the methods of a class give modules, whichever of them has run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import names, syntax
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.project.methods import Write


_STAYING = frozenset({"to", "cuda", "cpu", "float", "half", "double", "train", "eval"})
"""Methods of modules that give the module."""


def class_given(machine: Machine, node: ast.AST) -> str:
    """The class of the modules that an attribute is given in all places; nothing otherwise.

    None holds the place of what is to come.
    """
    function = machine.activation.function
    if function is None or function.owner is None or not isinstance(node, ast.Attribute):
        return ""
    own = f"self.{node.attr}"
    if names.dotted(node) != own:
        return ""
    found: set[str] = set()
    for write in machine.index.family(function.owner).writes(node.attr):
        built = _built(write.value)
        if built is None or not (syntax.is_none(built) or names.dotted(built) == own):
            found.add(_class_of(machine, write, built))
    return "" if "" in found else found.pop() if len(found) == 1 else "module" if found else ""


def _built(value: ast.expr | None) -> ast.expr | None:
    """What is moved or switched, if anything is."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr not in _STAYING:
            break
        value = value.func.value
    return value


def _class_of(machine: Machine, write: Write, built: ast.expr | None) -> str:
    if not isinstance(built, ast.Call):
        return ""
    meant = machine.index.meaning(write.spot.region.outline, names.dotted(built.func))
    cls = meant.name if isinstance(meant, External) else meant
    if not isinstance(cls, (str, Definition)) or not kinds.is_module(machine.index, cls):
        return ""
    return kinds.name_of(cls)
