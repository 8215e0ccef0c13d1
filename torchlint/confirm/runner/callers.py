"""Which code of the project leads to the flagged function, told by names."""

from __future__ import annotations

import ast
import contextlib
import functools
import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .trees import parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .loading import Texts
    from .outlines import Part

Function = (ast.FunctionDef, ast.AsyncFunctionDef)
_MOST_FILES = 150
_FAR = 4
_REPOSITORY = ".git"
_MARKS = (_REPOSITORY, "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")
_MOST_BYTES = 200_000
_SKIPPED = frozenset({"site-packages", "node_modules", "build", "dist", "venv", "env", "tests"})


@dataclass(frozen=True, eq=False)
class Unit:
    """A function or method of a file, or the file's own code (an empty scope).

    ``kin`` are the names of the method's class and of the classes that inherit from it.
    """

    file: str
    part: Part
    texts: Texts = field(repr=False)
    kin: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        """The dotted name within the file."""
        return self.part.scope

    @property
    def mentions(self) -> frozenset[str]:
        """The names that it reads."""
        return self.part.mentions

    @cached_property
    def node(self) -> ast.AST:
        """The code; the file is parsed for it."""
        tree = self.texts.parsed(self.file)
        return next((node for node in ast.walk(tree) if self._is(node)), tree)

    def _is(self, node: ast.AST) -> bool:
        is_function = isinstance(node, Function) and node.lineno == self.part.first
        return is_function and node.name == self.name  # type: ignore[attr-defined]

    def covers(self, line: int) -> bool:
        """Whether a line of the file is in it."""
        return self.part.first <= line <= self.part.last

    @cached_property
    def class_name(self) -> str:
        """The class of a method, empty for a function."""
        return self.scope.rpartition(".")[0]

    @cached_property
    def name(self) -> str:
        """The name without the class."""
        return self.scope.rpartition(".")[2]

    @property
    def called(self) -> tuple[str, frozenset[str]]:
        """All that it takes to tell who names it."""
        return self.name, self.kin


class CallGraph:
    """The functions of some files, and who names whom."""

    def __init__(self, texts: Texts) -> None:
        self.units: list[Unit] = []
        self._texts = texts
        self._imports: dict[str, frozenset[str]] = {}
        self._modules: dict[str, list[str]] = {}
        self._reached: dict[str, frozenset[str]] = {}
        self._bases: dict[str, frozenset[str]] = {}
        self._naming: dict[str, list[int]] = {}
        self._indexed = 0
        self._known: dict[tuple[str, frozenset[str]], list[Unit]] = {}

    def add(self, files: Iterable[str]) -> None:
        """Take in files, by their paths."""
        for file in files:
            outline = self._texts.outline(file)
            self._bases.update(outline.bases)
            self._imports[file] = outline.imports
            self._modules.setdefault(_module_name(file), []).append(file)
            self.units.extend(Unit(file, part, self._texts) for part in outline.parts)
        self._reached.clear()
        self._known.clear()
        derived = self._derived()
        kin = {name: _kin(name, derived) for name in {unit.class_name for unit in self.units}}
        self.units = [replace(unit, kin=kin[unit.class_name]) for unit in self.units]

    def __contains__(self, file: str) -> bool:
        return file in self._imports

    def _derived(self) -> dict[str, list[str]]:
        """The classes that inherit from one of a name."""
        derived: dict[str, list[str]] = {}
        for name, bases in self._bases.items():
            for base in bases:
                derived.setdefault(base, []).append(name)
        return derived

    def unit_at(self, file: str, line: int) -> Unit:
        """The function or method around a line, else the file's own code."""
        mine = [unit for unit in self.units if unit.file == file]
        inside = [unit for unit in mine if unit.scope and unit.covers(line)]
        return inside[0] if inside else next(unit for unit in mine if not unit.scope)

    def callers(self, unit: Unit, anywhere: bool = False) -> list[Unit]:
        """What names the function, in the same file or anywhere."""
        return [
            other
            for other in self._leading_to(unit)
            if other is not unit
            and (other.file == unit.file or (anywhere and self._sees(other.file, unit.file)))
        ]

    def _leading_to(self, unit: Unit) -> list[Unit]:
        """What names a unit: a method by itself and its class, or by ``self``."""
        known = self._known.get(unit.called)
        if known is None:
            naming = self._index()
            own = naming.get(unit.name, ())
            found = {at for at in own if not unit.kin or self.units[at].class_name in unit.kin}
            for name in unit.kin:
                others = naming.get(name, ())
                found.update(at for at in others if self.units[at].class_name not in unit.kin)
            known = self._known[unit.called] = [self.units[at] for at in sorted(found)]
        return known

    def _index(self) -> dict[str, list[int]]:
        """Which units read a name, by their places."""
        for at in range(self._indexed, len(self.units)):
            for name in self.units[at].mentions:
                self._naming.setdefault(name, []).append(at)
        self._indexed = len(self.units)
        return self._naming

    def _sees(self, file: str, other: str) -> bool:
        return other in self.imported_by(file)

    def outward(self, unit: Unit) -> list[Unit]:
        """The function and all that leads to it, the outermost first; not the file's own code."""
        chain = {unit: None}
        pending = [unit]
        for inner in pending:
            for caller in self.callers(inner):
                if caller.scope and caller not in chain:
                    chain[caller] = None
                    pending.append(caller)
        return pending[::-1]

    def imported_by(self, file: str) -> frozenset[str]:
        """The file and all that it imports, directly or not."""
        known = self._reached.get(file)
        if known is None:
            known = self._reached[file] = frozenset(self._reach(file))
        return known

    def _reach(self, file: str) -> set[str]:
        found, pending = {file}, [file]
        for one in pending:
            for name in self._imports[one]:
                fresh = [other for other in self._modules.get(name, ()) if other not in found]
                found.update(fresh)
                pending.extend(fresh)
        return found

    def runs(self, file: str, unit: Unit) -> bool:
        """Whether running a file as a script leads to the function."""
        files = self.imported_by(file)
        if unit.file not in files:
            return False
        pending, seen, asked = [unit], {unit}, set()
        for one in pending:
            if one.file == file and not one.scope:
                return True
            if one.called in asked:
                continue
            asked.add(one.called)
            for other in self._leading_to(one):
                may_run = other.file in files if other.scope else other.file == file
                if may_run and other not in seen:
                    seen.add(other)
                    pending.append(other)
        return False


def _kin(name: str, derived: dict[str, list[str]]) -> frozenset[str]:
    """A class and those that inherit from it, directly or not."""
    found = {name} if name else set()
    pending = list(found)
    for one in pending:
        fresh = [cls for cls in derived.get(one, ()) if cls not in found]
        found.update(fresh)
        pending.extend(fresh)
    return frozenset(found)


def related(file: str, root: str, texts: Texts) -> list[str]:
    """The other files of the project that may lead to a file, or take part when one of them runs.

    One leads to it that names its module, or the module of one that does; what is named in the text
    of those takes part. The nearest files come first; those that cannot be read are left out.
    """
    words: dict[str, frozenset[str]] = {}
    for other in project_files(file, root):
        with contextlib.suppress(SyntaxError, ValueError, OSError, RecursionError):
            words[other] = texts.outline(other).words
    names = {other: _module_name(other) for other in (*words, file)}
    leading = _closure([file], lambda one: (it for it in words if names[one] in words[it]))
    taking_part = _closure(
        leading & words.keys(), lambda one: (it for it in words if names[it] in words[one])
    )
    return [other for other in words if other in taking_part]


def _closure(start: Iterable[str], joined: Callable[[str], Iterable[str]]) -> set[str]:
    """What is joined, one by one, to what the search starts from, and that itself."""
    found = set(start)
    pending = list(found)
    while pending:
        fresh = [other for other in joined(pending.pop()) if other not in found]
        found.update(fresh)
        pending.extend(fresh)
    return found


def project_files(file: str, root: str) -> Iterator[str]:
    """Other Python files of the project, the nearest to the file first."""
    seen = {file}
    for folder in _folders(os.path.dirname(file), top_of(root)):
        for path in _python_files(folder):
            if len(seen) > _MOST_FILES:
                return
            if path not in seen:
                seen.add(path)
                yield path


def _folders(folder: str, top: str) -> Iterator[str]:
    """A folder and those above it, up to the top."""
    yield folder
    while folder != top and folder.startswith(top):
        folder = os.path.dirname(folder)
        yield folder


def top_of(root: str) -> str:
    """The nearest folder that is marked as a project's, if it is not far, else the root."""
    return tops_of(root)[0]


def tops_of(root: str) -> list[str]:
    """All that are so marked in the repository that it is in, the nearest first.

    A part of a project may list what it needs by itself. Without a repository only one counts.
    """
    marked, folder = [], root
    for _ in range(_FAR):
        found = [mark for mark in _MARKS if os.path.exists(os.path.join(folder, mark))]
        if found:
            marked.append(folder)
        if _REPOSITORY in found:
            return marked
        folder = os.path.dirname(folder)
    return marked[:1] or [root]


def _python_files(folder: str) -> Iterator[str]:
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in _SKIPPED and not name.startswith(".")
        )
        for name in sorted(files):
            full = os.path.join(path, name)
            if name.endswith(".py") and os.path.getsize(full) < _MOST_BYTES:
                yield full


@functools.lru_cache(maxsize=64)
def bound_by_imports(tree: ast.Module) -> frozenset[str]:
    """Names that are imported anywhere in a file."""
    imports = (node for node in parts(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))
    names = (alias for node in imports for alias in node.names)
    return frozenset(alias.asname or alias.name.partition(".")[0] for alias in names)


def _module_name(file: str) -> str:
    folder, base = os.path.split(file)
    return os.path.basename(folder) if base == "__init__.py" else os.path.splitext(base)[0]


def own_nodes(unit: Unit) -> Iterator[Any]:
    """What belongs to a function, or to a file outside of its definitions, and can be reached."""
    waiting = list(_reachable(unit.node))
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    while waiting:
        node = waiting.pop()
        if not unit.scope and isinstance(node, definitions):
            continue
        yield node
        waiting.extend(_reachable(node))


def _reachable(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a node, without statements that stand behind a jump."""
    for _, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
            if isinstance(child, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
                break
