"""Files: which argument of a call that loads something is the file."""

from __future__ import annotations

import ast

_NAMES = frozenset({"f", "file", "filename", "path", "checkpoint_path"})
"""What torch, pickle, NumPy, joblib and Lightning call it."""


def file_of(load: ast.AST) -> ast.expr | None:
    """The argument that stands first, or is given by one of its names; None where there is none."""
    if not isinstance(load, ast.Call):
        return None
    if load.args:
        return load.args[0]
    return next((item.value for item in load.keywords if item.arg in _NAMES), None)


def are_same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two calls load what is told in the same way."""
    first, second = file_of(one), file_of(other)
    return first is not None and second is not None and ast.dump(first) == ast.dump(second)
