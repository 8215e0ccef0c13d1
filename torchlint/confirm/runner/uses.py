"""What a function does with its tensor arguments, read off its syntax tree."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .statements import dotted
from .trees import parts

if TYPE_CHECKING:
    import types

    from .callsites import Function
    from .loading import Program

# Methods that give back the same tensor as far as its shape is concerned.
_SAME = frozenset({"float", "to", "contiguous", "clone", "detach", "type_as", "long", "double"})
_OF_IMAGES = frozenset(
    {"conv2d", "interpolate", "max_pool2d", "avg_pool2d", "adaptive_avg_pool2d", "pixel_shuffle"}
)


@dataclass
class Use:
    """How an argument is used: modules that take it, its rank, keys, and what it is next to."""

    modules: list[str] = field(default_factory=list)
    rank: int = 0
    least_rank: int = 0
    parts: int = 0
    integer: bool = False
    iterated: bool = False
    keys: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)


def uses(function: Function) -> dict[str, Use]:
    """The use of every argument."""
    given = function.args
    names = [item.arg for item in [*given.posonlyargs, *given.args, *given.kwonlyargs]]
    reader = _Reader(names)
    reader.visit(function)
    return reader.found


def function_node(code: types.CodeType, program: Program) -> Function | None:
    """The definition that a code object was compiled from, None outside of the project."""
    if not program.finder.owns(code.co_filename):
        return None
    for node in parts(program.tree(code.co_filename)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


class _Reader(ast.NodeVisitor):
    def __init__(self, names: list[str]) -> None:
        self.found = {name: Use() for name in names}
        self._loops: dict[str, str] = {}

    def _use(self, node: ast.AST) -> Use | None:
        """The use of the argument that an expression is a simple version of."""
        while True:
            if isinstance(node, ast.Name):
                return self.found.get(node.id)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr not in _SAME:
                    return None
                node = node.func.value
            elif isinstance(node, ast.BinOp):
                node = node.left if self._use(node.left) else node.right
            else:
                return None

    def visit_For(self, node: ast.For) -> None:
        path = _module_path(node.iter)
        if path and isinstance(node.target, ast.Name):
            self._loops[node.target.id] = f"{path}.0"
        use = self._use(node.iter)
        if use is not None:
            use.iterated = True
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = dotted(node.func)
        path = _module_path(node.func) or self._loops.get(called, "")
        for argument in [*node.args, *(word.value for word in node.keywords)]:
            use = self._use(argument)
            if use is not None:
                self._passed(use, path, called.rpartition(".")[2])
        self._pattern(node, called.rpartition(".")[2])
        if isinstance(node.func, ast.Attribute):
            self._method(node.func, node.args)
        self.generic_visit(node)

    def _passed(self, use: Use, path: str, function: str) -> None:
        if path:
            use.modules.append(path)
        if function in ("embedding", "one_hot"):
            use.integer = True
        if function in _OF_IMAGES:
            use.rank = use.rank or 4
        if function in ("cat", "stack", "concat", "enumerate", "zip", "list", "len"):
            use.iterated |= function != "len"

    def _pattern(self, node: ast.Call, function: str) -> None:
        """The rank that a pattern of einops or ``einsum`` gives an argument."""
        texts = [item.value for item in node.args if isinstance(item, ast.Constant)]
        text = next((item for item in texts if isinstance(item, str)), "").partition("->")[0]
        if not text or "..." in text:
            return
        if function == "einsum":
            parts = [list(part.replace(" ", "")) for part in text.split(",")]
        elif function in ("rearrange", "repeat", "reduce"):
            parts = [re.findall(r"\([^)]*\)|\S+", text)]
        else:
            return
        operands = [item for item in node.args if not isinstance(item, ast.Constant)]
        for part, operand in zip(parts, operands, strict=False):
            use = self._use(operand)
            if use is not None:
                use.rank = use.rank or len(part)

    def _method(self, function: ast.Attribute, arguments: list[ast.expr]) -> None:
        use = self._use(function.value)
        if use is None:
            return
        if function.attr == "permute" and len(arguments) > 1:
            use.rank = use.rank or len(arguments)
        if function.attr == "size" and arguments:
            use.least_rank = max(use.least_rank, _index(arguments[0]) + 1)

    def visit_Assign(self, node: ast.Assign) -> None:
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Tuple) and not any(
            isinstance(e, ast.Starred) for e in target.elts
        ):
            self._unpacked(value, len(target.elts))
        self.generic_visit(node)

    def _unpacked(self, value: ast.expr, parts: int) -> None:
        asked = value.func if isinstance(value, ast.Call) else value
        sizes = None
        if isinstance(asked, ast.Attribute) and asked.attr in ("shape", "size"):
            sizes = self._use(asked.value)
        if sizes is not None:
            sizes.rank = sizes.rank or parts
        elif isinstance(value, ast.Name) and value.id in self.found:
            self.found[value.id].parts = parts

    def visit_Subscript(self, node: ast.Subscript) -> None:
        index = node.slice
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            use = self._use(node.value.value)
            if use is not None:
                use.least_rank = max(use.least_rank, _index(index) + 1)
        elif isinstance(node.value, ast.Name) and node.value.id in self.found:
            use = self.found[node.value.id]
            if isinstance(index, ast.Constant) and isinstance(index.value, str):
                use.keys.append(index.value)
            elif isinstance(index, ast.Tuple):
                axes = [part for part in index.elts if not _is_none_or_dots(part)]
                use.least_rank = max(use.least_rank, len(axes))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        left, right = node.left, node.right
        if isinstance(left, ast.Name) and isinstance(right, ast.Name):
            for one, other in ((left.id, right.id), (right.id, left.id)):
                if one in self.found and other in self.found:
                    self.found[one].beside.append(other)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        use = self._use(node.left)
        for other in node.comparators:
            if use is not None and isinstance(other, ast.Constant) and isinstance(other.value, str):
                use.texts.append(other.value)
        self.generic_visit(node)


def _module_path(node: ast.AST) -> str:
    """``encoder.0`` of ``self.encoder[i]``, empty for what is no path from ``self``."""
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            return node.attr
        base = _module_path(node.value)
        return f"{base}.{node.attr}" if base else ""
    if isinstance(node, ast.Subscript):
        base = _module_path(node.value)
        return f"{base}.0" if base else ""
    return ""


def _index(node: ast.AST) -> int:
    value: Any = node.value if isinstance(node, ast.Constant) else -1
    return value if isinstance(value, int) else -1


def _is_none_or_dots(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in (None, Ellipsis)
