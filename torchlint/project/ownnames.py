"""What names of a function surely are: nothing but what it makes itself."""

from __future__ import annotations

import ast
from collections import defaultdict
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.project import trails
from torchlint.sources.patterns import Pattern

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

_COLLECTED = Pattern(r"list|set|dict|(?:collections\.)?\w+[dD]ict")
_MADE = Pattern(
    r"(?:torch|th)\.(?:(?:zeros|ones|empty|full|rand|randn)(?:_like)?|arange|eye|linspace|tensor)"
    r"|.*\.(?:new_zeros|new_ones|new_empty|new_full|clone)"
)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, *_COMPREHENSIONS)
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs)


class OwnNames:
    """The names of a function, by what they are given in it."""

    def __init__(self, code: trails.Code) -> None:
        self._code = code
        self._given: defaultdict[str, dict[ast.AST, Kind]] = defaultdict(dict)
        self._bind()

    def kind(self, name: str) -> Kind:
        """What a name surely is, from where it is given something."""
        # At the top level it may be given more in another statement, and another region.
        known = self._code.function is not None and name not in self._others
        kinds = set(self._given[name].values()) if known else set()
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
            for loop in (*self._code.loops, *self._code.all(ast.While))
            if any(_holds(loop, each) for each in statements)
            and any(_holds(loop, each) for each in reads)
        )

    def _bind(self) -> None:
        all_of = self._code.all
        told: set[int] = set()
        for node in (*all_of(ast.Assign), *all_of(ast.AnnAssign), *all_of(ast.AugAssign)):
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
        self._others = {
            *(n.id for n in all_of(ast.Name) if type(n.ctx) is not ast.Load and id(n) not in told),
            *self._code.parameters,
            *(alias.asname or alias.name for alias in all_of(ast.alias)),
            *(name for each in all_of(ast.Global) for name in each.names),
            *(name for each in all_of(ast.Nonlocal) for name in each.names),
            *(getattr(each, "name", None) or "" for kind in _NAMED for each in all_of(kind)),
        }

    @cached_property
    def _inner(self) -> list[ast.AST]:
        """What runs by itself, or again, within the function."""
        inner = [node for kind in _INNER for node in self._code.all(kind)]
        return [node for node in inner if node is not self._code.function]

    @cached_property
    def _reads(self) -> dict[str, list[ast.AST]]:
        """Where each name is read, but for what no operation keeps."""
        asked = {id(n.value) for n in self._code.all(ast.Attribute) if n.attr in trails.ASKED}
        for compare in self._code.all(ast.Compare):
            asked.update(map(id, (compare.left, *compare.comparators)))
        for call in self._code.all(ast.Call):
            if isinstance(call.func, ast.Name) and call.func.id == "len":
                asked.update(map(id, call.args))
        reads: defaultdict[str, list[ast.AST]] = defaultdict(list)
        for name in self._code.all(ast.Name):
            if type(name.ctx) is ast.Load and id(name) not in asked:
                reads[name.id].append(name)
        return reads

    @cached_property
    def _dropped(self) -> set[int]:
        """The calls whose result nobody has, or the name that they are a method of."""
        return {id(each.value) for each in self._code.all(ast.Expr)} | {
            id(each.value)
            for each in self._code.all(ast.Assign)
            if isinstance(name := each.targets[0], ast.Name) and _is_itself(name.id, each.value)
        }

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
