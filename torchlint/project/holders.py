"""Holders: where a project keeps the objects of its classes, and calls them."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project.callings import Calling, around
from torchlint.project.children import children
from torchlint.project.dependencies import CALLED, LINK
from torchlint.project.outline import Import

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.project.index import Index
    from torchlint.project.outline import Definition, Outline

    Path = tuple[ast.AST, ...]
    """A node, and what it stands in from the inside out."""

_MOST = 12
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LISTS = frozenset({"ModuleList", "list", "tuple"})
_ADDING = frozenset({"append", "insert", "extend"})
_ITSELF = frozenset({"to", "cuda", "cpu", "eval", "train", "half", "float", "requires_grad_"})
_ASKING = frozenset({"isinstance", "issubclass", "hasattr", "len", "id", "type", "print", "apply"})
_RUNS = frozenset({"forward", "__call__"})


class UnseenError(Exception):
    """Objects of a class may be called where nobody can see."""


class Holders:
    """All calls of the objects of one class, as far as they can be seen."""

    def __init__(self, index: Index, definition: Definition) -> None:
        self._index = index
        self._path = definition.outline.source.path
        self._asked: set[tuple[Definition, str]] = set()
        self._calls: dict[ast.AST, Calling] = {}
        self._read(definition, definition.name)

    @classmethod
    def calls(cls, index: Index, definition: Definition) -> tuple[Calling, ...]:
        """The calls of all objects of a class; none where there may be others."""
        try:
            return tuple(cls(index, definition)._calls.values())
        except UnseenError:
            return ()

    def _read(self, definition: Definition, name: str) -> None:
        """Follow what is done with a class by a name, and with those that inherit its forward."""
        if (definition, f"{name}()") in self._asked:
            return
        self._asked.add((definition, f"{name}()"))
        node = definition.region.statement
        if definition.nested_in is not None or getattr(node, "decorator_list", None):
            raise UnseenError  # Decorators register classes, for those who build them by name.
        self._of_itself(definition)
        sources = self._index.speaking_of(name)
        told = self._index.callings.told(name)
        self._index.dependencies.note(self._path, CALLED, name, told)
        if len(sources) > _MOST:
            raise UnseenError
        for source in sources:
            self._index.dependencies.note(self._path, LINK, source.path)
            outline = self._index.outlined(source)
            if outline is None:
                raise UnseenError
            if self._index.binding(outline, name) is definition:
                for path, caller in _mentions(outline, name):
                    self._named(definition, path, caller)
            elif _may_mean(outline, name):
                raise UnseenError

    def _of_itself(self, definition: Definition) -> None:
        """What a class calls its own forward by, from another method."""
        for member in definition.members.values():
            if member.is_class or not re.search(r"\bself(?:\.forward)?\(", member.region.text):
                continue
            for path in _paths(member.region.statement):
                match path[0]:
                    case ast.Call(
                        func=ast.Name(id="self")
                        | ast.Attribute(value=ast.Name(id="self"), attr="forward")
                    ):
                        self._add(path, member)

    def _add(self, path: Path, caller: Definition | None) -> None:
        if caller is None or caller.is_class:
            raise UnseenError
        self._calls[path[0]] = Calling(caller.region, path, caller)

    def _named(self, definition: Definition, path: Path, caller: Definition | None) -> None:
        """What becomes of a class where its name stands."""
        node, outer = path[0], path[1] if len(path) > 1 else None
        match outer:
            case ast.Call(func=func) if func is node:
                self._follow(path[1:], caller, listed=False)
            case ast.ClassDef():
                self._derived(definition, caller)
            case ast.Call(func=ast.Name(id="super")):
                pass
            case ast.Attribute(attr="__init__"):
                pass  # A subclass builds what it inherits, by whatever means.
            case ast.Attribute() if len(path) > 2 and isinstance(path[2], ast.Call):
                raise UnseenError
            case ast.Attribute():
                pass
            case ast.Assign(targets=[ast.Name(id=name)]) if caller is None:
                self._read(definition, name)
            case ast.Dict(values=values) if node in values:
                self._looked_up(path[1:], caller)
            case ast.IfExp(test=test) if node is not test and caller is not None:
                self._chosen(path[1:], caller)
            case _ if not _is_annotation(path) and not _is_asked(path):
                raise UnseenError

    def _looked_up(self, path: Path, caller: Definition | None) -> None:
        """What is built by a table of classes that a function has."""
        match path[1]:
            case ast.Subscript() if _is_called(path[1:]):
                self._follow(path[2:], caller, listed=False)
            case ast.Assign(targets=[ast.Name(id=name)]) if caller is not None:
                for each in _paths(caller.region.statement):
                    if not isinstance(each[0], ast.Name) or each[0].id != name:
                        continue
                    if isinstance(each[1], ast.Subscript) and _is_called(each[1:]):
                        self._follow(each[2:], caller, listed=False)
                    elif type(each[0].ctx) is ast.Load:
                        raise UnseenError
            case _:
                raise UnseenError

    def _chosen(self, path: Path, caller: Definition) -> None:
        """What is built by an attribute that has one of several classes."""
        match path[1]:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]) if (
                caller.nested_in is not None
            ):
                for each, member in self._reads(caller.nested_in, name):
                    if _is_called(each):
                        self._follow(each[1:], member, listed=False)
                    elif isinstance(getattr(each[0], "ctx", None), ast.Load):
                        raise UnseenError
            case _:
                raise UnseenError

    def _derived(self, definition: Definition, derived: Definition | None) -> None:
        if derived is None or not derived.is_class:
            raise UnseenError
        forward = derived.members.get("forward")
        if forward is None:
            self._read(derived, derived.name)
            return
        for path in _paths(forward.region.statement):
            match path[0]:
                case ast.Call(
                    func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=run)
                ):
                    if run == "forward":
                        self._add(path, forward)

    def _follow(self, path: Path, caller: Definition | None, *, listed: bool) -> None:
        """Where an object goes from an expression that gives it, or a list of it."""
        for node, outer in pairwise(path):
            match outer:
                case ast.IfExp(test=test) if node is not test:
                    pass
                case ast.List() | ast.Tuple() | ast.Starred() | ast.ListComp() | ast.GeneratorExp():
                    listed = True
                    if caller is not None and self._is_looped(path[path.index(outer) :], caller):
                        return
                case ast.Call(func=func) if func is node and isinstance(node, ast.Attribute):
                    if node.attr not in _ITSELF:
                        return
                case ast.Call(func=func) if func is node:
                    self._add(path[path.index(outer) :], caller)
                    return
                case ast.Call(func=ast.Attribute(value=owner, attr=adding)) if adding in _ADDING:
                    self._kept(owner, caller, listed=True)
                    return
                case ast.Call(func=func) if _last(func) in _LISTS:
                    listed = True
                case ast.Attribute(attr=name) if name in _ITSELF:
                    pass
                case ast.Assign(targets=targets):
                    for target in targets:
                        self._kept(target, caller, listed=listed)
                    return
                case ast.AnnAssign(target=target) | ast.NamedExpr(target=target):
                    self._kept(target, caller, listed=listed)
                    return
                case ast.Expr():
                    return
                case _:
                    raise UnseenError

    def _kept(self, target: ast.AST, caller: Definition | None, *, listed: bool) -> None:
        """What a name or attribute that holds an object, or a list of it, is used for."""
        if caller is None or caller.is_class:
            raise UnseenError
        match target:
            case ast.Name(id=name):
                if (caller, name) not in self._asked:
                    self._asked.add((caller, name))
                    for path in _paths(caller.region.statement):
                        if isinstance(path[0], ast.Name) and path[0].id == name:
                            self._used(path, caller, listed=listed)
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if caller.nested_in:
                self._held(caller.nested_in, name, listed=listed)
            case ast.Subscript(value=ast.Attribute() as inner):
                self._kept(inner, caller, listed=True)
            case _:
                raise UnseenError

    def _held(self, holder: Definition, name: str, *, listed: bool) -> None:
        """The calls of what objects of a class have in an attribute."""
        if (holder, name) in self._asked:
            return
        self._asked.add((holder, name))
        for path, member in self._reads(holder, name):
            self._used(path, member, listed=listed)

    def _reads(self, holder: Definition, name: str) -> Iterator[tuple[Path, Definition]]:
        """Where the methods of a class speak of an attribute of their object."""
        family = self._index.family(holder)
        if re.search(rf"(?<!\bself)\.{name}(?:\[\w+\])?\(", holder.outline.text):
            raise UnseenError
        for base in (*family.lineage, *family.descendants):
            for member in base.members.values():
                if member.is_class or name not in member.region.text:
                    continue
                for path in _paths(member.region.statement):
                    match path[0]:
                        case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                            if attribute == name:
                                yield path, member

    def _used(self, path: Path, caller: Definition, *, listed: bool) -> None:
        """What is done with an object, or a list of it, where what holds it is read."""
        node, outer = path[0], path[1]
        if not isinstance(getattr(node, "ctx", None), ast.Load) or _is_asked(path):
            return
        if listed and self._is_looped(path, caller):
            return
        match outer:
            case ast.Subscript(value=value, slice=part) if listed and value is node:
                self._used(path[1:], caller, listed=isinstance(part, ast.Slice))
            case ast.Call(func=func) if func is node:
                self._add(path[1:], caller)
            case ast.Attribute(attr=name) if name in _RUNS and isinstance(path[2], ast.Call):
                self._add(path[2:], caller)
            case ast.Attribute():
                pass
            case _:
                self._follow(path, caller, listed=listed)

    def _is_looped(self, path: Path, caller: Definition) -> bool:
        """Whether a list is gone through, and what is done with its items there."""
        place: list[int] = []
        for node, outer in pairwise(path):
            match outer:
                case ast.Call(func=ast.Name(id="enumerate")):
                    place.insert(0, 1)
                case ast.Call(func=ast.Name(id="zip"), args=args) if node in args:
                    place.insert(0, args.index(node))
                case ast.Call(func=ast.Name(id="reversed")) | ast.Subscript(slice=ast.Slice()):
                    pass
                case ast.For(target=target, iter=iterable) if iterable is node:
                    self._item(target, place, caller)
                    return True
                case ast.comprehension(target=target, iter=iterable) if iterable is node:
                    self._item(target, place, caller)
                    return True
                case _:
                    return False
        return False

    def _item(self, target: ast.AST, place: Iterable[int], caller: Definition) -> None:
        for position in place:
            if not isinstance(target, ast.Tuple) or position >= len(target.elts):
                raise UnseenError
            target = target.elts[position]
        self._kept(target, caller, listed=False)


def _mentions(outline: Outline, name: str) -> Iterator[tuple[Path, Definition | None]]:
    """Where a name stands in the code of a file, and in which definition."""
    found = re.finditer(rf"\b{name}\b", outline.text)
    lines = sorted({outline.line_at(each.start()) for each in found})
    for region, caller in dict.fromkeys(around(outline, line) for line in lines):
        for statement in region.statements if region is not None else ():
            for path in _paths(statement, methods=caller is None or not caller.is_class):
                if isinstance(path[0], ast.Name) and path[0].id == name:
                    yield path, caller


def _paths(root: ast.AST, *, methods: bool = True) -> Iterator[Path]:
    """All nodes with what they stand in; without what is read by itself, the methods."""
    pending: list[Path] = [(root,)]
    while pending:
        path = pending.pop()
        yield path
        pending.extend(
            (child, *path)
            for child in children(path[0])
            if methods or not isinstance(child, _FUNCTIONS)
        )


def _may_mean(outline: Outline, name: str) -> bool:
    """Whether a file may reach a class by its name without having that at its top level."""
    if any(
        isinstance(bound, Import) and bound.attribute == name != local
        for local, bound in outline.bindings.items()
    ):
        return True
    if name in outline.bindings:
        return False
    text = outline.text
    quoted = not outline.source.path.endswith("__init__.py") and rf"|[\"']{name}[\"']"
    found = re.search(
        rf"\.{name}\b{quoted or ''}|^[ \t]+from\b[^\n]*\b{name}\b", text, re.MULTILINE
    )
    return found is not None


def _is_called(path: Path) -> bool:
    return isinstance(path[1], ast.Call) and path[1].func is path[0]


def _is_annotation(path: Path) -> bool:
    for node, outer in pairwise(path):
        match outer:
            case ast.arg() | ast.FunctionDef() | ast.AsyncFunctionDef():
                return True
            case ast.AnnAssign(annotation=annotation):
                return annotation is node
            case ast.Subscript() | ast.BinOp() | ast.Tuple() | ast.List() | ast.Attribute():
                pass
            case _:
                return False
    return False


def _is_asked(path: Path) -> bool:
    """Whether something is only asked about: what it is, or whether it is there."""
    for node, outer in pairwise(path):
        match outer:
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return True
            case ast.If(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                return test is node
            case ast.Call(func=func):
                return func is not node and _last(func) in _ASKING
            case ast.Tuple() | ast.BoolOp():
                pass
            case _:
                return False
    return False


def _last(func: ast.expr) -> str:
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
