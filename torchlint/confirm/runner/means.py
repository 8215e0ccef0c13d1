"""What a constructor, and the methods beside it, do with the arguments that it is given."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .statements import dotted
from .trees import parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ITERATING = frozenset(
    {"enumerate", "zip", "len", "list", "tuple", "sum", "reversed", "sorted", "map", "max", "min"}
)


@dataclass
class Means:
    """How a value is used: as something to call, to go through, to look up, to compare."""

    called: bool = False
    iterated: bool = False
    ranged: bool = False
    counted: bool = False
    indices: list[int] = field(default_factory=list)
    choices: list[Any] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)

    @property
    def parts(self) -> int:
        """How many items it has at least, 0 where nothing asks for items."""
        return max(self.indices) + 1 if self.indices else 0


class Usage(ast.NodeVisitor):
    """The means of values by their paths: of ``config``, and of ``config.depths`` in it."""

    def __init__(
        self, names: Iterable[str], nodes: Iterable[ast.AST], module: object = None
    ) -> None:
        self._module = module
        self._aliases = {name: name for name in names}
        self._on_self = dict(self._aliases)
        self.found: dict[str, Means] = {}
        for node in nodes:
            for part in parts(node):
                if isinstance(part, (ast.Assign, ast.AnnAssign)):
                    self._alias(part)
        for node in nodes:
            self.visit(node)

    def of(self, path: str) -> Means:
        """The means of a path."""
        return self.found.setdefault(path, Means())

    def keys(self, means: Means) -> Iterator[Any]:
        """The first keys of the tables that a value is looked up in."""
        for table in means.tables:
            try:
                yield next(iter(self._looked_up(table)))
            except Exception:
                continue

    def _looked_up(self, path: str) -> Any:
        found: Any = self._module
        for part in path.split("."):
            found = getattr(found, part)
        return found

    def _choices(self, node: ast.AST) -> list[Any]:
        """A constant, be it one that the module has a name for."""
        name = dotted(node)
        if name.rpartition(".")[2].isupper():
            try:
                found = self._looked_up(name)
            except Exception:
                return []
            return [found] if isinstance(found, str) else []
        return _constants(node)

    def _alias(self, node: ast.Assign | ast.AnnAssign) -> None:
        """``self.depth = depth`` makes the attribute mean the argument."""
        if not isinstance(node.value, ast.Name) or node.value.id not in self._aliases:
            return
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute) and dotted(target.value) == "self":
                self._on_self[target.attr] = node.value.id

    def _path(self, node: ast.AST) -> str:
        if isinstance(node, ast.Name):
            return self._aliases.get(node.id, "")
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                return self._on_self.get(node.attr, "")
            base = self._path(node.value)
            return f"{base}.{node.attr}" if base else ""
        if isinstance(node, ast.Subscript) and _text(node.slice):
            base = self._path(node.value)
            return f"{base}.{_text(node.slice)}" if base else ""
        return ""

    def _use(self, node: ast.AST) -> Means | None:
        path = self._path(node)
        return self.of(path) if path else None

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Attributes of it."""
        use = self._use(node.value)
        if use is not None:
            use.attributes.add(node.attr)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Calls of it, and calls that it is handed to."""
        use = self._use(node.func)
        if use is not None:
            use.called = True
        called = dotted(node.func).rpartition(".")[2]
        for argument in node.args:
            starred = isinstance(argument, ast.Starred)
            use = self._use(argument.value if isinstance(argument, ast.Starred) else argument)
            if use is not None:
                use.iterated |= starred or called in _ITERATING
                use.ranged |= called in ("range", "arange", "linspace")
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        """Loops over it."""
        self._iterate(node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """The same within an expression."""
        self._iterate(node.iter)
        self.generic_visit(node)

    def _iterate(self, node: ast.expr) -> None:
        use = self._use(node)
        if use is not None:
            use.iterated = True

    def visit_Assign(self, node: ast.Assign) -> None:
        """It is taken apart."""
        target, use = node.targets[0], self._use(node.value)
        if isinstance(target, (ast.Tuple, ast.List)) and use is not None:
            use.indices.append(len(target.elts) - 1)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Items of it, and what it is looked up in."""
        use, key = self._use(node.value), self._use(node.slice)
        if use is not None and _text(node.slice):
            use.attributes.add(_text(node.slice))
        elif use is not None:
            use.iterated |= isinstance(node.slice, ast.Slice)
            use.indices.append(_index(node.slice))
        if key is not None and isinstance(node.value, ast.Dict):
            key.choices.extend(
                item for part in node.value.keys if part for item in _constants(part)
            )
        elif key is not None and dotted(node.value):
            key.tables.append(dotted(node.value))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """What it is compared with."""
        use, other = self._use(node.left), node.comparators[0]
        if use is not None and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            if dotted(other):
                use.tables.append(dotted(other).removesuffix(".keys"))
            for item in getattr(other, "elts", ()):
                use.choices.extend(self._choices(item))
        elif use is not None and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            use.choices.extend(one for one in self._choices(other) if isinstance(one, str))
        use = self._use(other)
        if use is not None and isinstance(node.ops[0], ast.In) and _text(node.left):
            use.choices.append(_text(node.left))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """It is counted with."""
        for side in (node.left, node.right):
            use = self._use(side)
            if use is not None:
                use.counted = True
        self.generic_visit(node)


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _constants(node: ast.AST) -> list[Any]:
    return [node.value] if isinstance(node, ast.Constant) and node.value is not None else []


def _index(node: ast.AST) -> int:
    """The index of an item, the least that there may be where it is not known."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return max(_index(node.operand) - 1, 0)
    value: Any = node.value if isinstance(node, ast.Constant) else 0
    return value if isinstance(value, int) else 0
