"""What names of a function surely are: nothing but what it makes itself."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.project import trails

if TYPE_CHECKING:
    from collections.abc import Sequence

    Position = tuple[int, int]
    """A line and a column."""


class Kind(Enum):
    """What all that a name is given is one of."""

    COLLECTION = "a list, dict or set"
    COUNT = "a whole number"
    TENSOR = "a tensor that is made anew"
    OTHER = "something else"


PLAIN_WRITES = frozenset(
    f"{name}_"
    for name in "copy fill zero fill_diagonal index_add index_copy index_fill scatter scatter_add "
    "masked_fill masked_scatter add sub mul div uniform normal bernoulli random tril triu".split()
)
"""Methods that write into a tensor, and keep neither it nor their result for their backward."""

_STILL = PLAIN_WRITES | {"to"}
"""Methods whose result nobody has but who has the object."""

_COLLECTED = re.compile(r"list|set|dict|(?:collections\.)?\w+[dD]ict")
_MADE = re.compile(
    r"(?:torch|th)\.(?:(?:zeros|ones|empty|full|rand|randn)(?:_like)?|arange|eye|linspace|tensor)"
    r"|.*\.(?:new_zeros|new_ones|new_empty|new_full|clone)"
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_INNER = (*_FUNCTIONS, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class OwnNames:
    """The names of a function, by what they are given in its nodes."""

    def __init__(self, nodes: Sequence[ast.AST]) -> None:
        self._nodes = nodes
        self._given: defaultdict[str, dict[ast.AST, Kind]] = defaultdict(dict)
        self._others: set[str] = set()
        self._bind()

    def kind(self, name: str) -> Kind:
        """What a name surely is, from where it is given something."""
        kinds = set(self._given[name].values()) if name not in self._others else set()
        return kinds.pop() if len(kinds) == 1 else Kind.OTHER

    def is_written_first(self, name: str, writes: Sequence[tuple[ast.AST, ast.Name]]) -> bool:
        """Whether nothing reads what a name stands for before all of these have written into it."""
        statements = [statement for statement, _ in writes]
        if any(_holds(inner, each) for inner in self._inner for each in statements):
            return False
        targets = {id(target) for _, target in writes}
        reads = [node for node in self._reads[name] if id(node) not in targets]
        reads += [each for each in statements if isinstance(each, ast.Call) and self._is_used(each)]
        first, last = min(map(_begin, statements)), max(map(_end, statements))
        return all(_end(read) >= last for read in reads) and all(
            any(each in loop.body and _begin(each) < first for each in self._given[name])
            for loop in self._nodes
            if isinstance(loop, _LOOPS)
            and any(_holds(loop, each) for each in statements)
            and any(_holds(loop, each) for each in reads)
        )

    def _bind(self) -> None:
        told: set[int] = set()
        for node in self._nodes:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id=name) as target], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value)
                ):
                    told.add(id(target))
                    if not _is_itself(name, value):
                        self._given[name][node] = kind_of(value)
                case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                    told.add(id(target))
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if id(node) not in told:
                    self._others.add(name)
                case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                    self._others.add(name)
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    self._others.add(name)
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    self._others.update(names)
                case ast.alias(name=name, asname=asname):
                    self._others.add(asname or name)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    self._others.add(name)

    @cached_property
    def _inner(self) -> list[ast.AST]:
        """What runs by itself, or again, within the function."""
        inner = (node for node in self._nodes if isinstance(node, _INNER))
        return [node for node in inner if node is not self._function]

    @cached_property
    def _function(self) -> ast.AST | None:
        return next((node for node in self._nodes if isinstance(node, _FUNCTIONS)), None)

    @cached_property
    def _reads(self) -> dict[str, list[ast.AST]]:
        """Where each name is read, but for what no operation keeps."""
        asked: set[int] = set()
        reads: defaultdict[str, list[ast.AST]] = defaultdict(list)
        for node in self._nodes:  # What holds others comes before them.
            match node:
                case ast.Attribute(value=ast.Name() as name, attr=attribute):
                    if attribute in trails.ASKED:
                        asked.add(id(name))
                case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as name]):
                    asked.add(id(name))
                case ast.Compare(left=left, comparators=others):
                    asked.update(map(id, (left, *others)))
                case ast.Name(id=called, ctx=ast.Load()) if id(node) not in asked:
                    reads[called].append(node)
        return reads

    @cached_property
    def _dropped(self) -> set[int]:
        """The calls whose result nobody has, or the name that they are a method of."""
        dropped = set()
        for node in self._nodes:
            match node:
                case ast.Expr(value=value):
                    dropped.add(id(value))
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_itself(
                    name, value
                ):
                    dropped.add(id(value))
        return dropped

    def _is_used(self, call: ast.AST) -> bool:
        return id(call) not in self._dropped


def is_whole(value: ast.expr) -> bool:
    """Whether a value is a whole number, as it is written."""
    return isinstance(value, ast.Constant) and type(value.value) is int


def kind_of(value: ast.expr) -> Kind:
    """What an expression surely gives."""
    match value:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp() | ast.SetComp():
            return Kind.COLLECTION
        case ast.BinOp(left=ast.List(), op=ast.Mult()):
            return Kind.COLLECTION
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in _STILL:
            return kind_of(inner)
        case ast.Call():
            name = trails.called(value)
            if name == "len":
                return Kind.COUNT
            if _COLLECTED.fullmatch(name):
                return Kind.COLLECTION
            return Kind.TENSOR if _MADE.fullmatch(name) else Kind.OTHER
    return Kind.COUNT if is_whole(value) else Kind.OTHER


def _is_itself(name: str, value: ast.expr) -> bool:
    """Whether a value is what a name stands for already, after a write."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=receiver), attr=method)):
            return receiver == name and method in PLAIN_WRITES
    return False


def _begin(node: ast.AST) -> Position:
    assert isinstance(node, (ast.stmt, ast.expr))
    return node.lineno, node.col_offset


def _end(node: ast.AST) -> Position:
    assert isinstance(node, (ast.stmt, ast.expr))
    return node.end_lineno or 0, node.end_col_offset or 0


def _holds(outer: ast.AST, inner: ast.AST) -> bool:
    return _begin(outer) <= _begin(inner) and _end(inner) <= _end(outer)
