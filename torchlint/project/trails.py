"""Trails: under which names a value goes on in a region, as its syntax tells."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.project.regions import NESTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Test = Callable[[ast.Call], bool]

_COLLECTING = frozenset({"append", "appendleft", "add", "insert", "extend", "update", "setdefault"})
LIBRARIES = frozenset({"torch", "th", "F", "nn", "np", "numpy", "einops"})


class Trail:
    """What comes of the calls of a region that pass a test, and of some names.

    All that is computed from one is of its trail, and what collects it: more than that rather than
    less. What an object does with what it is handed is not followed.
    """

    def __init__(self, tree: ast.AST, begins: Test, names: Iterable[str] = ()) -> None:
        self._begins = begins
        self.names = set(names)
        bindings = [(_names(to), value) for to, value in _bindings(tree)]
        count = -1
        while count < len(self.names):
            count = len(self.names)
            for names, value in bindings:
                if not names <= self.names and self.leads_to(value):
                    self.names |= names

    def leads_to(self, node: ast.AST) -> bool:
        """Whether there is something of the trail in an expression."""
        if isinstance(node, (ast.Name, ast.Attribute)) and _dotted(node) in self.names:
            return True
        if isinstance(node, ast.Call):
            if self._begins(node):
                return True
            if not _passes_on(node.func):
                return self.leads_to(node.func)
            return any(map(self.leads_to, (*node.args, *node.keywords)))
        return any(map(self.leads_to, ast.iter_child_nodes(node)))


def parsed(text: str) -> ast.AST | None:
    """The tree of a region's text; None for what is none by itself."""
    try:
        return ast.parse(NESTED + text if text[:1] in {" ", "\t"} else text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parameters(tree: ast.AST) -> set[str]:
    """The names of what the functions in a region take."""
    return {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def free(tree: ast.AST) -> set[str]:
    """The names that a region only reads: they are given a value elsewhere."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return {node.id for node in names} - bound - parameters(tree) - LIBRARIES


def called(node: ast.AST) -> str:
    """The dotted name that is called, after what another call gave: ``().to``; else nothing."""
    return _dotted(node.func) if isinstance(node, ast.Call) else ""


def written(tree: ast.AST) -> Iterator[ast.AST]:
    """The expressions that are written into: in part, by a sign, by a method or as an ``out``."""
    for node in ast.walk(tree):
        match node:
            case ast.AugAssign(target=target):
                yield target
            case ast.Subscript(value=value, ctx=ast.Store()):
                yield value
            case ast.Call(func=function, args=args) if called(node).endswith("_"):
                yield function
                yield from args
            case ast.keyword(arg="out", value=value):
                yield value


def _passes_on(function: ast.expr) -> bool:
    """Whether what a call gives may come of its arguments: not what a part of an object gives."""
    return _dotted(function).partition(".")[0] in LIBRARIES or not isinstance(
        function, ast.Attribute
    )


def _bindings(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What is given a value, and the expression that it comes from."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield target, value
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.AsyncFor(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
                | ast.withitem(optional_vars=ast.expr() as target, context_expr=value)
            ):
                yield target, value
            case ast.Call(func=ast.Attribute(value=holder, attr=name), args=args):
                for value in args if name in _COLLECTING else ():
                    yield holder, value


def _names(target: ast.AST) -> set[str]:
    """The names that a target gives a value to, or to a part of which."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return {name for part in parts for name in _names(part)}
        case ast.Subscript(value=inner) | ast.Starred(value=inner):
            return _names(inner)
    return {_dotted(target)} - {""}


def _dotted(node: ast.AST) -> str:
    """The dotted name of an expression, in which calls and items are as good as nameless."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
        case ast.Call(func=called):
            return f"{_dotted(called)}()"
    return ""
