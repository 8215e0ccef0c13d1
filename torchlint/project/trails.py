"""Trails: under which names a value goes on in a region, as its syntax tells."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.project.regions import NESTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Test = Callable[[ast.Call], bool]
    Binding = tuple[set[str], ast.AST]
    """Names that are given a value, and the expression that it comes from."""

_COLLECTING = frozenset({"append", "appendleft", "add", "insert", "extend", "update", "setdefault"})
LIBRARIES = frozenset({"torch", "th", "F", "nn", "np", "numpy", "einops"})


class Code:
    """The syntax of a region."""

    def __init__(self, tree: ast.AST) -> None:
        self.nodes = list(ast.walk(tree))
        self._bindings = list(_bindings(self.nodes))

    def trail(self, begins: Test, names: Iterable[str] = ()) -> Trail:
        """What comes of the calls that pass a test, and of some names."""
        return Trail(self._bindings, begins, set(names))

    @property
    def parameters(self) -> set[str]:
        """The names of what the functions in the region take."""
        return {node.arg for node in self.nodes if isinstance(node, ast.arg)}

    def taken(self, kind: str) -> set[str]:
        """The parameters that are annotated with a class of this name."""
        return {
            node.arg
            for node in self.nodes
            if isinstance(node, ast.arg)
            and node.annotation is not None
            and _dotted(node.annotation).rpartition(".")[2] == kind
        }

    @property
    def free(self) -> set[str]:
        """The names that the region only reads: they are given a value elsewhere."""
        names = [node for node in self.nodes if isinstance(node, ast.Name)]
        bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        return {node.id for node in names} - bound - self.parameters - LIBRARIES

    @property
    def written(self) -> Iterator[ast.AST]:
        """What is written into: in part, by a sign, by a method or function, or as an ``out``."""
        for node in self.nodes:
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


class Trail:
    """What comes of some calls and names.

    All that is computed from one is of its trail, and what collects it: more than that rather than
    less. What an object does with what it is handed is not followed.
    """

    def __init__(self, bindings: list[Binding], begins: Test, names: set[str]) -> None:
        self._begins = begins
        self.names = names
        count = -1
        while count < len(self.names):
            count = len(self.names)
            for bound, value in bindings:
                if not bound <= self.names and self.leads_to(value):
                    self.names |= bound

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


def parsed(text: str) -> Code | None:
    """The syntax of a region's text; None for what has none by itself."""
    try:
        return Code(ast.parse(NESTED + text if text[:1] in {" ", "\t"} else text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def called(node: ast.AST) -> str:
    """The dotted name that is called, after what another call gave: ``().to``; else nothing."""
    return _dotted(node.func) if isinstance(node, ast.Call) else ""


def _passes_on(function: ast.expr) -> bool:
    """Whether what a call gives may come of its arguments: not what a part of an object gives."""
    return _dotted(function).partition(".")[0] in LIBRARIES or not isinstance(
        function, ast.Attribute
    )


def _bindings(nodes: Iterable[ast.AST]) -> Iterator[Binding]:
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield _names(target), value
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.AsyncFor(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
                | ast.withitem(optional_vars=ast.expr() as target, context_expr=value)
            ):
                yield _names(target), value
            case ast.Call(func=ast.Attribute(value=holder, attr=name), args=args):
                for value in args if name in _COLLECTING else ():
                    yield _names(holder), value


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
