"""Trails: under which names a value goes on in a region, as its syntax tells."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from torchlint.project.regions import NESTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Test = Callable[[ast.Call], bool]
    Binding = tuple[set[str], list[str | ast.Call]]
    """Names that are given a value, and the names and calls that it may come of."""

LIBRARIES = frozenset({"torch", "th", "F", "nn", "np", "numpy", "einops"})
ASKED = frozenset("shape size dim ndim numel device dtype element_size is_cuda".split())
"""What can be asked of a tensor without having any of it."""

_COLLECTING = frozenset({"append", "appendleft", "add", "insert", "extend", "update", "setdefault"})
_LONGEST = 12
"""Of names with more parts, so many of the last are taken."""


class Code:
    """The syntax of a region."""

    def __init__(self, tree: ast.AST) -> None:
        self.nodes = list(ast.walk(tree))
        self._bindings: list[Binding] = [
            (_names(target), list(_origins(value))) for target, value in _bindings(self.nodes)
        ]

    def trail(self, begins: Test, names: Iterable[str] = ()) -> Trail:
        """What comes of the calls that pass a test, and of some names."""
        return Trail(self._bindings, begins, names)

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
        modules = self.free | LIBRARIES
        for node in self.nodes:
            match node:
                case ast.AugAssign(target=target):
                    yield target
                case ast.Subscript(value=value, ctx=ast.Store()):
                    yield value
                case ast.Call(func=function, args=args) if called(node).endswith("_"):
                    yield function
                    if not isinstance(function, ast.Attribute) or _root(function) in modules:
                        yield from args[:1]
                case ast.keyword(arg="out", value=value):
                    yield value


class Trail:
    """What comes of some calls and names.

    All that is computed from one is of its trail, and what collects it: more than that rather than
    less. What an object does with what it is handed is not followed.
    """

    def __init__(self, bindings: list[Binding], begins: Test, names: Iterable[str]) -> None:
        self._begins = begins
        self.names: set[str] = set()
        reading: defaultdict[str, list[set[str]]] = defaultdict(list)
        pending = list(names)
        for bound, origins in bindings:
            for origin in origins:
                if isinstance(origin, str):
                    reading[origin].append(bound)
                elif begins(origin):
                    pending.extend(bound)
        while pending:
            name = pending.pop()
            if name not in self.names:
                self.names.add(name)
                pending.extend(after for bound in reading[name] for after in bound)

    def leads_to(self, node: ast.AST) -> bool:
        """Whether there is something of the trail in an expression."""
        return any(
            origin in self.names if isinstance(origin, str) else self._begins(origin)
            for origin in _origins(node)
        )


@lru_cache(maxsize=1)  # Several words are told by the syntax, of one region after the other.
def parsed(text: str) -> Code | None:
    """The syntax of a region's text; None for what has none by itself."""
    try:
        return Code(ast.parse(NESTED + text if text[:1] in {" ", "\t"} else text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def called(node: ast.AST) -> str:
    """The dotted name that is called, with ``()`` for what another call gave; else nothing."""
    return _dotted(node.func) if isinstance(node, ast.Call) else ""


def _origins(node: ast.AST) -> Iterator[str | ast.Call]:
    """The names and calls that an expression may come of."""
    pending = [node]
    while pending:
        part = pending.pop()
        match part:
            case ast.Name(id=name):
                yield name
            case ast.Attribute(attr=name) if name in ASKED:
                pass
            case ast.Attribute(value=value):
                yield _dotted(part)
                pending.append(value)
            case ast.Call(func=function, args=args, keywords=keywords):
                yield part
                if _passes_on(function):
                    pending.extend((*args, *(keyword.value for keyword in keywords)))
                else:
                    pending.append(function)
            case _:
                pending.extend(ast.iter_child_nodes(part))


def _passes_on(function: ast.expr) -> bool:
    """Whether what a call gives may come of its arguments: not what a part of an object gives."""
    if not isinstance(function, ast.Attribute):
        return True
    name = _dotted(function)
    return name.partition(".")[0] in LIBRARIES and "()" not in name


def _root(node: ast.expr) -> str:
    """The name that an expression begins with, if it is attributes of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _bindings(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What is given a value, and the expression that it comes from."""
    for node in nodes:
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
    """The dotted name of an expression, with ``()`` for calls; it begins with a dot after items."""
    parts: list[str] = []
    while len(parts) < _LONGEST:
        match node:
            case ast.Name(id=name):
                return ".".join((name, *reversed(parts)))
            case ast.Attribute(value=value, attr=name):
                parts.append(name)
                node = value
            case ast.Call(func=function):
                parts.append("()")
                node = function
            case _:
                break
    return ".".join(("", *reversed(parts))) if parts else ""
