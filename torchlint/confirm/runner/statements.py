"""Which top-level statements of a file a name needs, and never the training beside them."""

from __future__ import annotations

import ast
import dis
import functools
import re
import sys
import types
from typing import TYPE_CHECKING

from .copying import compiled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

# Methods that fill an object which a definition uses: a parser, a list, a registry.
_FILLING = re.compile(r"^(add|append|extend|insert|update|set_?defaults?|register)(_|$)")
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
_WORDS = re.compile(r"[^\W\d]\w*")
_TRAINING = frozenset({"backward", "step", "fit"})
# A name that stands for all of a file.
EVERYTHING = "*"
_LOOKING = frozenset({"globals", "eval"})


def _numbers(*names: str) -> frozenset[int]:
    return frozenset(dis.opmap[name] for name in names if name in dis.opmap)


_STORES = _numbers("STORE_NAME", "STORE_GLOBAL")
_LOADS = _numbers("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS")
_NAMED = _STORES | _LOADS
# Their argument has one bit more, which says how the value is put on the stack.
_SHIFTED = _numbers("LOAD_GLOBAL") if sys.version_info >= (3, 11) else frozenset()
_EXTENDED = dis.opmap["EXTENDED_ARG"]


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


class Statement:
    """A top-level statement: what it binds, what it needs, and whose object it changes."""

    def __init__(self, node: ast.stmt, file: str, flags: int) -> None:
        self.node = node
        self._file, self._flags = file, flags
        self.changes = frozenset(_changed(node))
        self.registers = frozenset(_registers(node))
        self.trains = any(
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and part.func.attr in _TRAINING
            for part in _own_parts(node)
        )

    @functools.cached_property
    def code(self) -> types.CodeType:
        """What to execute."""
        module = ast.fix_missing_locations(ast.Module([self.node], []))
        return compiled(module, self._file, self._flags)

    @functools.cached_property
    def binds(self) -> AbstractSet[str]:
        """The names that it sets."""
        if isinstance(self.node, _DEFINITIONS):
            return frozenset({self.node.name})
        if isinstance(self.node, _IMPORTS):
            names = (item.asname or item.name.partition(".")[0] for item in self.node.names)
            return frozenset(names) - {"*"}
        return self._names[0]

    @functools.cached_property
    def needs(self) -> AbstractSet[str]:
        """The names that it, or a function in it, reads; decorators may read annotations."""
        return self._names[1] | frozenset(_annotations(self.node))

    @functools.cached_property
    def spoken_of(self) -> AbstractSet[str]:
        """The names in the annotations of a class or function; they may be texts when it runs."""
        is_definition = isinstance(self.node, _DEFINITIONS)
        return frozenset(_in_annotations(self.node) if is_definition else ())

    @functools.cached_property
    def _names(self) -> tuple[frozenset[str], frozenset[str]]:
        return _names(self.code)

    @property
    def is_star(self) -> bool:
        """Whether it imports all that there is."""
        node = self.node
        return isinstance(node, ast.ImportFrom) and any(item.name == "*" for item in node.names)

    @property
    def always(self) -> bool:
        """Settings of the process belong to every selection."""
        call = self.node.value if isinstance(self.node, ast.Expr) else None
        return isinstance(call, ast.Call) and dotted(call.func) in _SETTING


def dotted(node: ast.AST) -> str:
    """``a.b.c`` of a chain of attributes, empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def statements(tree: ast.Module, file: str) -> list[Statement]:
    """The statements of a file in order; those under the main guard count as the file's own.

    An import of several names counts as so many, for what is not needed may be slow or missing.
    """
    flags = _future_flags(tree)
    body = [node for node in _unguarded(tree.body) if not _is_future(node)]
    return [Statement(part, file, flags) for node in body for part in _single(node)]


class Contents:
    """What a file consists of: its statements, and what it imports as a whole, the last first.

    None of it changes, so that all programs that are made of a file share it.
    """

    def __init__(self, tree: ast.Module, file: str) -> None:
        body = statements(tree, file)
        self.stars = [part for part in body if part.is_star][::-1]
        self.body = [part for part in body if not part.is_star]
        self.selection = Selection(self.body)

    @functools.cached_property
    def imports(self) -> list[ast.ImportFrom]:
        """What the file imports names from, be it for type checkers only.

        They are told what is there where a package finds its names by itself.
        """
        found: list[ast.AST] = []
        for part in (*self.body, *self.stars):
            is_choice = isinstance(part.node, (ast.If, ast.Try))
            found.extend(ast.walk(part.node) if is_choice else (part.node,))
        return [node for node in found if isinstance(node, ast.ImportFrom)]


def _single(node: ast.stmt) -> Iterator[ast.stmt]:
    parts: list[ast.stmt]
    if isinstance(node, ast.Import):
        parts = [ast.Import([item]) for item in node.names]
    elif isinstance(node, ast.ImportFrom):
        parts = [ast.ImportFrom(node.module, [item], node.level) for item in node.names]
    else:
        yield node
        return
    for part in parts:
        yield ast.copy_location(part, node)


class Selection:
    """Statements of a file that some names depend on."""

    def __init__(self, body: list[Statement]) -> None:
        self._body = body
        own = {name for part in body if not isinstance(part.node, _IMPORTS) for name in part.binds}
        self._serving: dict[str, list[int]] = {}
        for index, part in enumerate(body):
            serving = part.binds | part.changes | (part.registers & own)
            for name in () if part.trains else serving:
                self._serving.setdefault(name, []).append(index)
        self.names = self._serving.keys()
        self._always = [index for index, part in enumerate(body) if part.always]

    def serves(self, name: str) -> bool:
        """Whether the name's value depends on any statement."""
        return name in self._serving

    def of(self, names: Iterable[str]) -> tuple[list[Statement], list[str]]:
        """What the names depend on, in the order of the file, and the names nothing serves."""
        chosen = set(self._always)
        waiting = [name for index in chosen for name in self._body[index].needs]
        waiting.extend(names)
        done: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in done:
                continue
            done.add(name)
            if name == EVERYTHING:
                waiting.extend(self._serving)
            for index in self._serving.get(name, ()):
                if index not in chosen:
                    chosen.add(index)
                    waiting.extend(self._body[index].needs)
        unserved = sorted(done - self._serving.keys() - {EVERYTHING})
        return [self._body[index] for index in sorted(chosen)], unserved


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
    """Global names that the code binds as it runs, and all that it or its functions read.

    What looks at all names, or makes code of texts, needs everything.
    """
    binds: set[str] = set()
    reads: set[str] = set()
    inner: set[str] = set()
    for operation, name in _named(code):
        (binds if operation in _STORES else reads).add(name)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            own_binds, needs = _names(constant)
            is_class_body = not constant.co_flags & 2  # CO_NEWLOCALS: set for functions only
            inner |= needs
            if is_class_body:
                inner -= own_binds - _of_functions(constant)
    if reads & _LOOKING:
        reads.add(EVERYTHING)
    return frozenset(binds), frozenset(reads | inner)


def _named(code: types.CodeType) -> Iterator[tuple[int, str]]:
    """The operations of the code that bind or read global names; `dis` takes ten times as long."""
    raw = code.co_code
    above = 0
    for operation, number in zip(raw[::2], raw[1::2], strict=True):
        if operation == _EXTENDED:
            above = (above | number) << 8
            continue
        if operation in _NAMED:
            index = above | number
            yield operation, code.co_names[index >> 1 if operation in _SHIFTED else index]
        above = 0


def _of_functions(code: types.CodeType) -> frozenset[str]:
    """What the functions of a class read: they do not see the names that its body binds."""
    functions = [item for item in code.co_consts if isinstance(item, types.CodeType)]
    return frozenset().union(*(_names(function)[1] for function in functions))


def _changed(node: ast.stmt) -> Iterator[str]:
    for part in _own_parts(node):
        if isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Store):
            yield from _base(part)
        elif (
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and _FILLING.search(part.func.attr)
        ):
            yield from _base(part.func)


def _annotations(node: ast.stmt) -> Iterator[str]:
    """What the annotations of a decorated class speak of, as those of a dataclass."""
    if isinstance(node, ast.ClassDef) and node.decorator_list:
        for part in node.body:
            for name in ast.walk(part.annotation) if isinstance(part, ast.AnnAssign) else ():
                if isinstance(name, ast.Name):
                    yield name.id


def _in_annotations(node: ast.stmt) -> Iterator[str]:
    for part in ast.walk(node):
        for name in ("annotation", "returns"):
            said = getattr(part, name, None)
            for word in ast.walk(said) if isinstance(said, ast.AST) else ():
                if isinstance(word, ast.Name):
                    yield word.id
                elif isinstance(word, ast.Constant) and isinstance(word.value, str):
                    yield from _WORDS.findall(word.value)


def _registers(node: ast.stmt) -> Iterator[str]:
    """Objects whose methods decorate a definition: they may enter it into a registry."""
    for decorator in node.decorator_list if isinstance(node, _DEFINITIONS) else ():
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(called, ast.Attribute):
            yield from _base(called)


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
