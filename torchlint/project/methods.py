"""Methods: what one does with the attributes of its object, as it is written.

The region of a method is parsed when it is first asked about, and only then; its words
tell at no cost whether it can say anything of a name.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.project import flow
from torchlint.project.children import children
from torchlint.project.factories import is_factory
from torchlint.project.regions import Spot

if TYPE_CHECKING:
    from torchlint.project.outline import Definition

_REGISTERING = frozenset({"register_buffer", "register_parameter", "add_module", "register_module"})
_BY_NAME = frozenset({"getattr", "setattr", "hasattr", "delattr"})
_HARMLESS = frozenset(
    "super isinstance issubclass type id len repr str print hash callable signature".split()
)


ADDING = frozenset({"append", "extend", "insert", "update", "add", "__setitem__"})
"""Ways to add to a collection, which give nothing of what is in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """An attribute of the object is given a value: by ``self.x = …``, or by name.

    ``how`` is the method that registers it by name, or nothing; ``value`` is None where it is not
    a single expression.
    """

    name: str
    method: str
    spot: Spot
    value: ast.expr | None = None
    how: str = ""

    @property
    def called(self) -> str:
        """The dotted name of what is called for the value; nothing where it is no such call."""
        function = self.value.func if isinstance(self.value, ast.Call) else None
        return ast.unparse(function) if isinstance(function, (ast.Name, ast.Attribute)) else ""


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """An attribute of the object is read; ``guarded`` where there may be none.

    ``how`` is ``len`` or one of :data:`ADDING` where that is all that is done with it.
    """

    name: str
    method: str
    spot: Spot
    guarded: bool = False
    how: str = ""

    @property
    def line(self) -> int:
        """The line of it in its region."""
        return self.spot.node.lineno if isinstance(self.spot.node, ast.expr) else 0


class Method:
    """A function of a class body, and what it does to its object."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.name = definition.name

    @cached_property
    def node(self) -> ast.FunctionDef | ast.AsyncFunctionDef:
        """The function, parsed by itself."""
        found = self.definition.region.statement
        assert isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef))
        return found

    @cached_property
    def decorators(self) -> frozenset[str]:
        """The last parts of its decorators' names; ``?`` for what has no name."""
        if not self.definition.region.is_decorated:
            return frozenset()  # Nothing need be parsed for that.
        return frozenset(_last(decorator) or "?" for decorator in self.node.decorator_list)

    @property
    def receiver(self) -> str:
        """The name that it gives its object; nothing for a static method."""
        return next(iter(self.taken), "") if "staticmethod" not in self.decorators else ""

    def accepts(self, count: int, *keywords: str) -> bool:
        """Whether a call on its object with so many values, and these keywords, fits."""
        given = self.node.args
        positional = [*given.posonlyargs, *given.args]
        skipped = 0 if "staticmethod" in self.decorators else 1
        free = positional[skipped:]
        needed = len(free) - len(given.defaults)
        names = {item.arg for item in (*free[count:], *given.kwonlyargs)}
        if count > len(free) and given.vararg is None:
            return False
        if given.kwarg is None and not names.issuperset(keywords):
            return False
        missing = {item.arg for item in free[count:needed]} | {
            item.arg
            for item, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
            if default is None
        }
        return missing <= set(keywords)

    @property
    def taken(self) -> list[str]:
        """The names of what it takes by position, its object first."""
        return [item.arg for item in (*self.node.args.posonlyargs, *self.node.args.args)]

    @property
    def needed(self) -> list[str]:
        """Those of them that have no default."""
        return self.taken[: len(self.taken) - len(self.node.args.defaults)]

    @property
    def makes_tensors(self) -> bool:
        """Whether it gives nothing but what is made of new tensors, as ``zeros`` makes them."""
        found = flow.returns(self.node)
        return bool(found) and all(any(map(is_factory, ast.walk(each))) for each in found)

    def spot(self, node: ast.AST) -> Spot:
        """Where a node of it stands."""
        return Spot(self.definition.region, node)

    @property
    def writes(self) -> list[Write]:
        """What it assigns to attributes of its object."""
        return self._uses[0]

    @property
    def reads(self) -> list[Read]:
        """What it reads of its object, methods that it calls included."""
        return self._uses[1]

    def replaces(self, read: Read) -> bool:
        """Whether it has given the attribute another value before it reads it, on every way."""
        given = {write.spot.node for write in self.writes if write.name == read.name}
        before = [
            statement.end_lineno
            for statement in self.node.body
            if isinstance(statement, ast.Assign) and not given.isdisjoint(statement.targets)
        ]
        return any(end is not None and end < read.line for end in before)

    @property
    def deletes(self) -> frozenset[str]:
        """The attributes that it deletes."""
        return self._uses[2]

    @property
    def hands_over(self) -> bool:
        """Whether its object, or all of its attributes, come into hands that are not known."""
        return self._uses[3]

    @cached_property
    def _uses(self) -> tuple[list[Write], list[Read], frozenset[str], bool]:
        search = _Search(self, self.receiver)
        if search.receiver:
            search.visit(self.node)
        return search.writes, search.reads, frozenset(search.deleted), search.open


class _Search:
    """One walk through a function, for what it does with the attributes of its first argument."""

    def __init__(self, method: Method, receiver: str) -> None:
        self.method = method
        self.receiver = receiver
        self.writes: list[Write] = []
        self.reads: list[Read] = []
        self.deleted: set[str] = set()
        self.open = False
        self._excused = 0
        self._closed: dict[ast.expr, str] = {}

    def visit(self, node: ast.AST) -> None:
        """A node and all that is in it."""
        # What there is most of comes first.
        match node:
            case ast.Name(id=name):
                self.open = self.open or name == self.receiver
                return
            case ast.Attribute(attr=name) if self._mine(node):
                if name == "__dict__":
                    self.open = True
                else:
                    self._attribute(node, name)
                return
            case ast.Call() if self._call(node):
                return
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._store(target, value)
            case ast.AugAssign(target=ast.Attribute(attr=name) as target) if self._mine(target):
                self._read(name, target)
            case ast.Return(value=ast.Name(id=name)) if name == self.receiver:
                return
            case ast.ClassDef():
                return
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() if self._hides(node):
                return
            case ast.Try():
                self._try(node)
                return
        for child in children(node):
            self.visit(child)

    def _hides(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
        """Whether an inner function calls something else by the name of the object."""
        inner = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        return node is not self.method.node and self.receiver in {item.arg for item in inner}

    def _mine(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and self._is_receiver(node.value)

    def _store(self, target: ast.expr, value: ast.expr | None) -> None:
        match target:
            case ast.Attribute(attr=name) if self._mine(target):
                spot = self.method.spot(target)
                self.writes.append(Write(name, self.method.name, spot, value))
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                for element in elements:
                    self._store(element, None)
            case ast.Starred(value=inner):
                self._store(inner, None)
            case ast.Subscript(value=held):
                self._closed[held] = "__setitem__"

    def _attribute(self, node: ast.Attribute, name: str) -> None:
        match node.ctx:
            case ast.Load():
                self._read(name, node)
            case ast.Del():
                self.deleted.add(name)
            case ast.Store() if not any(write.spot.node is node for write in self.writes):
                # The target of a loop, of ``with``, or of ``+=``.
                self.writes.append(Write(name, self.method.name, self.method.spot(node)))

    def _read(self, name: str, node: ast.AST, *, guarded: bool = False) -> None:
        guarded = guarded or self._excused > 0
        how = self._closed.get(node, "") if isinstance(node, ast.expr) else ""
        self.reads.append(Read(name, self.method.name, self.method.spot(node), guarded, how))

    def _try(self, node: ast.Try) -> None:
        """What is read where an exception is caught may be missing."""
        self._excused += bool(node.handlers)
        for child in node.body:
            self.visit(child)
        self._excused -= bool(node.handlers)
        for block in (node.handlers, node.orelse, node.finalbody):
            for inner in block:
                self.visit(inner)

    def _call(self, node: ast.Call) -> bool:
        """A call that does something to the object by name; gives whether it has been seen to."""
        called = _last(node.func)
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[held]):
                self._closed[held] = called
            case ast.Call(func=ast.Attribute(value=held)) if called in ADDING:
                self._closed[held] = called
        mine = bool(node.args) and self._is_receiver(node.args[0])
        if self._is_receiver(node.func):
            self._read("forward", node.func)
        elif called in _REGISTERING and self._mine(node.func):
            self._named(node, node.args[0] if node.args else _keyword(node, "name"), called)
        elif called in _BY_NAME and mine:
            self._by_name(node, called)
        elif not (isinstance(node.func, ast.Name) and called in _HARMLESS) and not (
            called == "__init__" and mine
        ):
            return False
        for child in (*node.args, *node.keywords):
            if not self._is_receiver(child):
                self.visit(child)
        return True

    def _is_receiver(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.receiver

    def _named(self, node: ast.Call, name: ast.expr | None, how: str) -> None:
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            value = node.args[1] if len(node.args) > 1 else None
            if value is None and node.keywords:
                value = next(
                    (i.value for i in node.keywords if i.arg not in {"name", "persistent"}), None
                )
            spot = self.method.spot(node)
            self.writes.append(Write(name.value, self.method.name, spot, value, how))
        else:
            self.open = True

    def _by_name(self, node: ast.Call, called: str) -> None:
        name = node.args[1] if len(node.args) > 1 else None
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
            self.open = True
        elif called == "setattr":
            value = node.args[2] if len(node.args) > 2 else None
            spot = self.method.spot(node)
            self.writes.append(Write(name.value, self.method.name, spot, value, called))
        elif called == "delattr":
            self.deleted.add(name.value)
        else:
            self._read(name.value, node, guarded=called == "hasattr" or len(node.args) > 2)


def is_none(written: ast.expr | None) -> bool:
    """Whether an annotation or a value is ``None`` by the letter."""
    return isinstance(written, ast.Constant) and written.value is None


def _keyword(node: ast.Call, name: str) -> ast.expr | None:
    return next((item.value for item in node.keywords if item.arg == name), None)


def _last(node: ast.expr) -> str:
    """The last part of a dotted name, of what is called or not; nothing for others."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=function):
            return _last(function)
    return ""
