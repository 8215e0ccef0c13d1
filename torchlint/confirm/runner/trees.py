"""Syntax trees that many runs look through, and that none of them changes."""

from __future__ import annotations

import ast
import functools


@functools.lru_cache(maxsize=2048)
def parts(node: ast.AST) -> tuple[ast.AST, ...]:
    """The node and all that is below it, in the order of `ast.walk`."""
    return tuple(ast.walk(node))
