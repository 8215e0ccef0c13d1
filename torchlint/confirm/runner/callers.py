"""Which code of the project leads to the flagged function, told by names."""

from __future__ import annotations

import ast
import contextlib
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .statements import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Function = ast.FunctionDef | ast.AsyncFunctionDef
_MOST_FILES = 150
_FAR = 4
_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")
_MOST_BYTES = 200_000
_SKIPPED = frozenset({"site-packages", "node_modules", "build", "dist", "venv", "env", "tests"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Unit:
    """A function or method of a file, or the file's own code (an empty scope).

    ``kin`` are the names of the method's class and of the classes that inherit from it.
    """

    file: str
    scope: str
    node: ast.AST
    mentions: frozenset[str]
    kin: frozenset[str] = frozenset()

    @property
    def class_name(self) -> str:
        """The class of a method, empty for a function."""
        return self.scope.rpartition(".")[0]

    @property
    def name(self) -> str:
        """The name without the class."""
        return self.scope.rpartition(".")[2]

    def leads_to(self, other: Unit) -> bool:
        """Whether this code names the other: a method by itself and its class, or by ``self``."""
        if not other.class_name:
            return other.name in self.mentions
        if self.class_name in other.kin:
            return other.name in self.mentions
        return bool(other.kin & self.mentions)


class CallGraph:
    """The functions of some files, and who names whom."""

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self._imports: dict[str, frozenset[str]] = {}
        self._reached: dict[str, list[str]] = {}
        self._bases: dict[str, frozenset[str]] = {}

    def add(self, trees: Mapping[str, ast.Module]) -> None:
        """Take in files, by their paths."""
        for file, tree in trees.items():
            self._bases.update(_bases(tree))
            self._imports[file] = frozenset(_imported(tree))
            self.units.extend(_units(file, tree))
        self._reached.clear()
        kin = {name: self._kin(name) for name in {unit.class_name for unit in self.units}}
        self.units = [replace(unit, kin=kin[unit.class_name]) for unit in self.units]

    def __contains__(self, file: str) -> bool:
        return file in self._imports

    def _kin(self, name: str) -> frozenset[str]:
        found = [name] if name else []
        for one in found:
            found.extend(
                cls for cls, bases in self._bases.items() if one in bases and cls not in found
            )
        return frozenset(found)

    def unit_at(self, file: str, line: int) -> Unit:
        """The function or method around a line, else the file's own code."""
        mine = [unit for unit in self.units if unit.file == file]
        inside = [unit for unit in mine if unit.scope and _covers(unit.node, line)]
        return inside[0] if inside else next(unit for unit in mine if not unit.scope)

    def callers(self, unit: Unit, anywhere: bool = False) -> list[Unit]:
        """What names the function, in the same file or anywhere."""
        return [
            other
            for other in self.units
            if other is not unit
            and other.leads_to(unit)
            and (other.file == unit.file or (anywhere and self._sees(other.file, unit.file)))
        ]

    def _sees(self, file: str, other: str) -> bool:
        return other in self.imported_by(file)

    def outward(self, unit: Unit) -> list[Unit]:
        """The function and all that leads to it, the outermost first; not the file's own code."""
        chain = [unit]
        for inner in chain:
            chain.extend(
                caller for caller in self.callers(inner) if caller.scope and caller not in chain
            )
        return chain[::-1]

    def imported_by(self, file: str) -> list[str]:
        """The file and all that it imports, directly or not."""
        known = self._reached.get(file)
        if known is None:
            known = self._reached[file] = self._reach(file)
        return known

    def _reach(self, file: str) -> list[str]:
        found = [file]
        left = {other: _module_name(other) for other in self._imports if other != file}
        for one in found:
            names = self._imports[one]
            reached = [other for other, name in left.items() if name in names]
            found.extend(reached)
            for other in reached:
                del left[other]
        return found

    def runs(self, file: str, unit: Unit) -> bool:
        """Whether running a file as a script leads to the function."""
        files = self.imported_by(file)
        if unit.file not in files:
            return False
        start = next(one for one in self.units if one.file == file and not one.scope)
        reached = [start]
        for one in reached:
            if one is unit or one.leads_to(unit):
                return True
            reached.extend(
                other
                for other in self.units
                if other.scope
                and other.file in files
                and other not in reached
                and one.leads_to(other)
            )
        return False


def related(file: str, root: str, read: Callable[[str], str]) -> dict[str, ast.Module]:
    """The other files of the project that may lead to a file, or take part when one of them runs.

    One leads to it that names its module, or the module of one that does; what is named in the text
    of those takes part. The nearest files come first; those that cannot be read are left out.
    """
    texts = dict(_texts(project_files(file, root), read))
    names = {other: _module_name(other) for other in texts}
    leading = _closure([file], lambda one, other: _module_name(one) in texts[other], texts)
    taking_part = _closure(leading, lambda one, other: names[other] in texts[one], texts)
    trees = {}
    for other, text in texts.items():
        if other in taking_part:
            with contextlib.suppress(SyntaxError, ValueError, RecursionError):
                trees[other] = ast.parse(text, other)
    return trees


def _texts(files: Iterable[str], read: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    for file in files:
        with contextlib.suppress(SyntaxError, ValueError, OSError):
            yield file, read(file)


def _closure(
    start: Iterable[str], joins: Callable[[str, str], bool], texts: Mapping[str, str]
) -> list[str]:
    """The files that are joined, one by one, to those that the search starts from."""
    found: list[str] = []
    pending = list(start)
    left = dict.fromkeys(texts)
    while pending:
        one = pending.pop()
        if one in left:
            del left[one]
            found.append(one)
        fresh = [other for other in left if joins(one, other) and other not in pending]
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
    folder = root
    for _ in range(_FAR):
        if any(os.path.exists(os.path.join(folder, mark)) for mark in _MARKS):
            return folder
        folder = os.path.dirname(folder)
    return root


def _python_files(folder: str) -> Iterator[str]:
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in _SKIPPED and not name.startswith(".")
        )
        for name in sorted(files):
            full = os.path.join(path, name)
            if name.endswith(".py") and os.path.getsize(full) < _MOST_BYTES:
                yield full


def _units(file: str, tree: ast.Module) -> Iterator[Unit]:
    yield Unit(file, "", tree, frozenset(_mentions(tree, own=True)))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    scope = f"{node.name}.{part.name}"
                    yield Unit(file, scope, part, frozenset(_mentions(part)))
    for node in _top_functions(tree.body):
        yield Unit(file, node.name, node, frozenset(_mentions(node)))


def _top_functions(body: list[ast.stmt]) -> Iterator[Function]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from _top_functions(node.body)


def _mentions(node: ast.AST, own: bool = False) -> Iterator[str]:
    """Names that the code reads; of a file's own code, without its definitions."""
    for child in ast.iter_child_nodes(node):
        if own and isinstance(child, (*_DEFINITIONS, ast.Import, ast.ImportFrom)):
            continue
        if isinstance(child, ast.Name):
            yield child.id
        elif isinstance(child, ast.Attribute):
            yield child.attr
        yield from _mentions(child, own)


def _bases(tree: ast.Module) -> Iterator[tuple[str, frozenset[str]]]:
    """Classes with the last parts of the names of their bases."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names = [dotted(base).rpartition(".")[2] for base in node.bases]
            yield node.name, frozenset(name for name in names if name)


def _imported(tree: ast.Module) -> Iterator[str]:
    """The last parts of the names of modules that a file may import."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield node.module.rpartition(".")[2]
            for alias in node.names:
                yield alias.name.rpartition(".")[2]


def bound_by_imports(tree: ast.Module) -> Iterator[str]:
    """Names that are imported anywhere in a file."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]


def _module_name(file: str) -> str:
    folder, base = os.path.split(file)
    return os.path.basename(folder) if base == "__init__.py" else os.path.splitext(base)[0]


def _covers(node: ast.AST, line: int) -> bool:
    return bool(node.lineno <= line <= (node.end_lineno or 0))  # type: ignore[attr-defined]


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
