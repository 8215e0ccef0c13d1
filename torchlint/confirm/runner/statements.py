"""Which top-level statements of a file a name needs, and never the training beside them."""

from __future__ import annotations

import ast
import dis
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Methods that fill an object which a definition uses: a parser, a list, a registry.
_FILLING = frozenset(
    [
        "add_argument",
        "add_argument_group",
        "set_defaults",
        "add_parser",
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "setdefault",
        "register",
    ]
)
# Calls that set up the process; anything else that stands alone is the script's own work.
_SETTING = frozenset(
    [
        "sys.path.append",
        "sys.path.insert",
        "warnings.filterwarnings",
        "warnings.simplefilter",
        "torch.manual_seed",
        "torch.set_default_dtype",
        "torch.set_default_device",
        "torch.set_default_tensor_type",
        "torch.autograd.set_detect_anomaly",
    ]
)
_TRAINING = frozenset({"backward", "step", "fit"})
_STORES = frozenset({"STORE_NAME", "STORE_GLOBAL"})
_LOADS = frozenset({"LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"})


class Statement:
    """A top-level statement: what it binds, what it needs, and whose object it changes."""

    def __init__(self, node: ast.stmt, file: str, flags: int) -> None:
        self.node = node
        module = ast.fix_missing_locations(ast.Module([node], []))
        self.code = compile(module, file, "exec", flags, dont_inherit=True)
        self.binds, self.needs = _names(self.code)
        self.changes = frozenset(_changed(node))
        self.trains = any(
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and part.func.attr in _TRAINING
            for part in _own_parts(node)
        )

    @property
    def always(self) -> bool:
        """Imports of everything and settings of the process belong to every selection."""
        node = self.node
        if isinstance(node, ast.ImportFrom):
            return any(alias.name == "*" for alias in node.names)
        call = node.value if isinstance(node, ast.Expr) else None
        return isinstance(call, ast.Call) and dotted(call.func) in _SETTING

    def serves(self, name: str) -> bool:
        """Whether the name's value depends on this statement."""
        return not self.trains and (name in self.binds or name in self.changes)


def dotted(node: ast.AST) -> str:
    """``a.b.c`` of a chain of attributes, empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def statements(tree: ast.Module, file: str) -> list[Statement]:
    """The statements of a file in order; those under the main guard count as the file's own."""
    flags = _future_flags(tree)
    body = [node for node in _unguarded(tree.body) if not _is_future(node)]
    return [Statement(node, file, flags) for node in body]


def needed(body: list[Statement], names: Iterable[str]) -> list[Statement]:
    """The statements that the names depend on, in the order of the file."""
    chosen = {index for index, statement in enumerate(body) if statement.always}
    waiting = [name for index in chosen for name in body[index].needs] + list(names)
    done: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in done:
            continue
        done.add(name)
        for index, statement in enumerate(body):
            if index not in chosen and statement.serves(name):
                chosen.add(index)
                waiting.extend(statement.needs)
    return [body[index] for index in sorted(chosen)]


def _unguarded(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.If) and _is_main_guard(node.test):
            yield from _unguarded(node.body)
        else:
            yield node


def _is_main_guard(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and dotted(test.left) == "__name__"


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _future_flags(tree: ast.Module) -> int:
    import __future__

    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                flags |= getattr(__future__, alias.name).compiler_flag
    return flags


def _names(code: types.CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """Global names that the code binds as it runs, and all that it or its functions read."""
    binds, needs = set(), set()
    for instruction in dis.get_instructions(code):
        if instruction.opname in _STORES:
            binds.add(instruction.argval)
        elif instruction.opname in _LOADS:
            needs.add(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            inner_binds, inner_needs = _names(constant)
            is_class_body = not constant.co_flags & 2  # CO_NEWLOCALS: set for functions only
            needs |= inner_needs - inner_binds if is_class_body else inner_needs
    return frozenset(binds), frozenset(needs)


def _changed(node: ast.stmt) -> Iterator[str]:
    for part in _own_parts(node):
        if isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Store):
            yield from _base(part)
        elif (
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and part.func.attr in _FILLING
        ):
            yield from _base(part.func)


def _own_parts(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is below it, without the bodies of functions and classes."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _own_parts(child)


def _base(node: ast.expr) -> Iterator[str]:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
