"""Trails: under which names a value goes on in a region, as its syntax tells."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from torchlint.project.children import children
from torchlint.project.regions import NESTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Test = Callable[[ast.Call], bool]
    Binding = tuple[set[str], list[str | ast.Call]]
    """Names that are given a value, and the names and calls that it may come of."""

Node = TypeVar("Node", bound=ast.AST)
LIBRARIES = frozenset({"torch", "th", "F", "nn", "np", "numpy", "einops"})
ASKED = frozenset("shape size dim ndim numel device dtype element_size is_cuda".split())
"""What can be asked of a tensor without having any of it."""

_COLLECTING = frozenset({"append", "appendleft", "add", "insert", "extend", "update", "setdefault"})
_COPYING = frozenset(
    "bmm cat clone concat concatenate contiguous einsum full_like gather hstack index_select isin "
    "masked_fill masked_select matmul mm mul ones_like repeat_interleave softmax stack tile tolist "
    "vstack where zeros_like".split()
)
"""Functions and methods that make something new of what they are given."""

_DISPLAYS = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.DictComp)
_NAMES = (ast.Name, ast.Attribute, ast.BinOp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LONGEST = 12
"""Of names with more parts, so many of the last are taken."""


class Code:
    """The syntax of a region."""

    def __init__(self, tree: ast.AST) -> None:
        self.nodes = _nodes(tree)
        self._by_type: defaultdict[type, list[Any]] = defaultdict(list)
        for node in self.nodes:
            self._by_type[type(node)].append(node)

    @property
    def function(self) -> ast.AST | None:
        """The function that the region is, if it is one."""
        first = getattr(self.nodes[0], "body", [])[:1]
        if isinstance(nested := first[0] if first else None, ast.If):
            first = nested.body
        return first[0] if first and isinstance(first[0], _FUNCTIONS) else None

    def all(self, kind: type[Node]) -> list[Node]:
        """The nodes of a type."""
        return self._by_type.get(kind, [])

    @property
    def loops(self) -> list[ast.For | ast.AsyncFor]:
        """The loops over something."""
        return [*self.all(ast.For), *self.all(ast.AsyncFor)]

    @cached_property
    def _bindings(self) -> list[Binding]:
        return [(_names(target), list(_origins(value))) for target, value in _bindings(self)]

    def trail(self, begins: Test, names: Iterable[str] = ()) -> Trail:
        """What comes of the calls that pass a test, and of some names."""
        return Trail(self._bindings, begins, names)

    def trail_of_memory(self, begins: Test) -> Trail:
        """What may be in the memory of what comes of calls, or hold that: nothing computed."""
        bindings = [
            (_names(target), list(_origins(value, of_memory=True)))
            for target, value in _bindings(self)
            if not _is_cut(target)
        ]
        return Trail(bindings, begins, (), of_memory=True)

    @property
    def parameters(self) -> set[str]:
        """The names of what the functions in the region take."""
        return {node.arg for node in self.all(ast.arg)}

    def taken(self, kind: str) -> set[str]:
        """The parameters that are annotated with a class of this name."""
        return {
            node.arg
            for node in self.all(ast.arg)
            if node.annotation is not None and _dotted(node.annotation).rpartition(".")[2] == kind
        }

    @property
    def free(self) -> set[str]:
        """The names that the region only reads: they are given a value elsewhere."""
        names = self.all(ast.Name)
        bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        return {node.id for node in names} - bound - self.parameters - LIBRARIES

    @property
    def written(self) -> Iterator[ast.AST]:
        """What is written into: in part, by a sign, by a method or function, or as an ``out``."""
        yield from (node.target for node in self.all(ast.AugAssign))
        yield from (n.value for n in self.all(ast.Subscript) if isinstance(n.ctx, ast.Store))
        yield from (node.value for node in self.all(ast.keyword) if node.arg == "out")
        modules = self.free | LIBRARIES
        for node in self.all(ast.Call):
            if called(node).endswith("_"):
                yield node.func
                if not isinstance(node.func, ast.Attribute) or _root(node.func) in modules:
                    yield from node.args[:1]


class Trail:
    """What comes of some calls and names.

    All that is computed from one is of its trail, and what collects it: more than that rather than
    less. What an object does with what it is handed is not followed.
    """

    def __init__(
        self,
        bindings: list[Binding],
        begins: Test,
        names: Iterable[str],
        *,
        of_memory: bool = False,
    ) -> None:
        self._begins = begins
        self._of_memory = of_memory
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
            for origin in _origins(node, of_memory=self._of_memory)
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


def _origins(node: ast.AST, *, of_memory: bool = False) -> Iterator[str | ast.Call]:
    """The names and calls that an expression may come of, or be in the memory of."""
    pending = [node]
    while pending:
        part = pending.pop()
        if of_memory and _is_new(part):
            continue
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
                pending.extend(children(part))


def _is_new(node: ast.AST) -> bool:
    """Whether an expression computes something: more than a list of what others hold."""
    match node:
        case ast.BinOp(left=left, op=operator, right=right):
            if isinstance(left, _DISPLAYS) or isinstance(right, _DISPLAYS):
                return False
            by_name = isinstance(left, _NAMES) and isinstance(right, _NAMES)
            return not (by_name and isinstance(operator, ast.Add))
        case ast.UnaryOp() | ast.Compare():
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in _COPYING
    return False


def _is_cut(target: ast.AST) -> bool:
    """Whether a target is a cut of a tensor, which takes a copy of what it is given."""
    match target:
        case ast.Subscript(slice=ast.Tuple(elts=parts)):
            return any(isinstance(part, ast.Slice) or _is_rest(part) for part in parts)
    return False


def _is_rest(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and part.value is ...


def _passes_on(function: ast.expr) -> bool:
    """Whether what a call gives may come of its arguments: not what a part of an object gives."""
    if not isinstance(function, ast.Attribute):
        return True
    name = _dotted(function)
    return name.partition(".")[0] in LIBRARIES and "()" not in name


def _nodes(tree: ast.AST) -> list[ast.AST]:
    """All nodes but operators and contexts; what holds others comes before them."""
    nodes = [tree]
    for node in nodes:
        nodes += children(node)
    return nodes


def _root(node: ast.expr) -> str:
    """The name that an expression begins with, if it is attributes of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _bindings(code: Code) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What is given a value, and the expression that it comes from."""
    for assign in code.all(ast.Assign):
        yield from ((target, assign.value) for target in assign.targets)
    for annotated in code.all(ast.AnnAssign):
        if annotated.value is not None:
            yield annotated.target, annotated.value
    yield from ((node.target, node.value) for node in code.all(ast.NamedExpr))
    yield from ((loop.target, loop.iter) for loop in code.loops)
    yield from ((part.target, part.iter) for part in code.all(ast.comprehension))
    for item in code.all(ast.withitem):
        if item.optional_vars is not None:
            yield item.optional_vars, item.context_expr
    for call in code.all(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in _COLLECTING:
            yield from ((call.func.value, value) for value in call.args)


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
