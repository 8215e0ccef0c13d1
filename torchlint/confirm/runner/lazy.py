"""Modules of the project that are filled as their names are asked for."""

from __future__ import annotations

import ast
import builtins
import importlib
import importlib.util
import os
import sys
import types
from typing import TYPE_CHECKING, Any

from . import taint
from .experiments import describe
from .limits import Overtime, time_limit
from .statements import EVERYTHING, Statement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .statements import Contents

_SECONDS = 5.0
# A library takes its time where it is imported for the first time.
_IMPORT_SECONDS = 15.0
# What looks up in a module what the annotations of its classes and functions mean.
_READING_ANNOTATIONS = frozenset({"typing", "inspect", "annotationlib"})
# With more of them a file only passes on what others have, and hides no built-in name.
_FEW = 4


class LazyModule:
    """Fills a module with the top-level names that are asked for, and what they need.

    ``find`` gives the project's module of a dotted name, or None.
    """

    def __init__(
        self,
        module: types.ModuleType,
        contents: Contents,
        file: str,
        find: Callable[[str], LazyModule | None],
    ) -> None:
        self._names = module.__dict__
        self._file = file
        self._find = find
        self._stars, self._body = contents.stars, contents.body
        self._imports = contents.imports
        self._selection = contents.selection
        self._done: set[int] = set()
        self._running: list[Statement] = []
        self._names.setdefault("__builtins__", builtins)
        module.__class__ = _Lazy
        self._names["__lazy__"] = self
        self.provide(())

    @property
    def public(self) -> list[str]:
        """All names that the file binds by definitions, imports and assignments."""
        return sorted({name for part in self._body if not part.trains for name in part.binds})

    @property
    def exported(self) -> list[str]:
        """What an import of everything takes from here."""
        if self._selection.serves("__all__"):
            self.provide(["__all__"])
            listed = self._names.get("__all__")
            if isinstance(listed, (list, tuple)):
                return [str(name) for name in listed]
        passed_on = {name for star in self._stars for name in self._exported_by(star)}
        return sorted(name for name in passed_on | set(self.public) if not name.startswith("_"))

    def provide(self, names: Iterable[str]) -> None:
        """Run what the names need and has not run yet."""
        chosen, unserved = self._selection.of(names)
        for name in unserved:
            few = len(self._stars) <= _FEW
            if name not in self._names and (few or not hasattr(builtins, name)):
                self._take(name)
        for statement in chosen:
            if id(statement) not in self._done:
                self._done.add(id(statement))
                self._run(statement)

    def missing(self, name: str) -> Any:
        """The value of a name that is asked for and is not there."""
        if name == "__all__":
            return self.exported
        if self._selection.serves(name) or not (_is_special(name) or self._is_submodule(name)):
            self.provide([name])
        if name not in self._names and self._implies(name):
            return importlib.import_module(f"{self._names['__name__']}.{name}")
        if name not in self._names and not _is_special(name):
            if self._selection.serves("__getattr__"):
                self.provide(["__getattr__"])
                return self._names["__getattr__"](name)
            if not self.is_making(name):  # a package may import its own submodule from itself
                self._take_as_told(name)
        if name not in self._names and self._is_submodule(name):
            # Something would have imported it, of all that a whole import runs.
            return importlib.import_module(f"{self._names['__name__']}.{name}")
        if name not in self._names:
            raise AttributeError(f"module {self._names['__name__']!r} has no attribute {name!r}")
        return self._names[name]

    def hidden_by(self, name: str) -> None:
        """A submodule was imported, which hides what the file itself calls by its name."""
        if self._selection.serves(name):
            self.provide([name])
        elif not self._is_submodule(name):
            self._take(name)

    def everything(self) -> dict[str, Any]:
        """All names, for code of the project that looks through them."""
        self.provide([EVERYTHING])
        for star in self._stars:
            for name in self._exported_by(star):
                if name not in self._names:
                    self._take(name)
        return self._names

    def annotated(self) -> dict[str, Any]:
        """The names, with those that annotations in what was run speak of."""
        run = [part for part in self._body if id(part) in self._done]
        self.provide({name for part in run for name in part.spoken_of} & self._selection.names)
        return self._names

    def _implies(self, name: str) -> bool:
        """Whether the file, run as a whole, would have imported a submodule of that name."""
        own = self._names.get("__package__") or ""
        for node in self._imports:
            path = f"{'.' * node.level}{node.module or ''}".removeprefix(f"{own}.")
            if path.removeprefix(".").partition(".")[0] == name and self._is_submodule(name):
                return True
        return False

    def _take_as_told(self, name: str) -> None:
        """Import a name from where type checkers are told that it is."""
        for node in self._imports:
            for alias in node.names:
                single = ast.ImportFrom(node.module, [alias], node.level)
                told = Statement(ast.copy_location(single, node), self._file, 0)
                if alias.name == "*" and name in self._exported_by(told):
                    single.names = [ast.alias(name)]
                elif (alias.asname or alias.name) != name:
                    continue
                self._run(told)
                return

    def _is_submodule(self, name: str) -> bool:
        """Whether the name is that of a submodule, and of nothing that the submodule exports."""
        if any(_imported(star).rpartition(".")[2] == name for star in self._stars):
            return False
        folder = os.path.dirname(self._file)
        is_package = os.path.basename(self._file) == "__init__.py"
        files = (os.path.join(folder, f"{name}.py"), os.path.join(folder, name, "__init__.py"))
        return is_package and any(map(os.path.isfile, files))

    def _run(self, statement: Statement) -> None:
        is_import = isinstance(statement.node, (ast.Import, ast.ImportFrom))
        self._running.append(statement)
        try:
            with time_limit(_IMPORT_SECONDS if is_import else _SECONDS):
                exec(statement.code, self._names)
        except (Exception, Overtime, SystemExit) as error:
            why = f"line {statement.node.lineno}: {describe(error)}"
            for name in statement.binds:
                self._names.setdefault(name, taint.Poison(name, why))
        finally:
            self._running.pop()

    def _take(self, name: str) -> None:
        """Look for a name in what is imported as a whole, the last import first.

        One that has it from here itself had it from an earlier import.
        """
        before = self._names.get(name)
        for star in self._stars:
            source = self._source(star)
            if source is not None and source.is_making(name):
                continue
            exported = name in self._exported_by(star)
            if exported:
                node: Any = star.node
                single = ast.ImportFrom(node.module, [ast.alias(name)], node.level)
                self._run(Statement(ast.copy_location(single, node), self._file, 0))
            if exported or self._names.get(name) is not before:
                return

    def is_making(self, name: str) -> bool:
        """Whether a statement is under way that binds a name."""
        return any(name in statement.binds for statement in self._running)

    def _source(self, star: Statement) -> LazyModule | None:
        """The module of the project that an import of everything is from."""
        package = self._names.get("__package__") or ""
        try:
            return self._find(importlib.util.resolve_name(_imported(star), package))
        except (ImportError, ValueError):
            return None

    def _exported_by(self, star: Statement) -> Iterable[str]:
        """The names that an import of everything brings; what is not the project's runs."""
        source = self._source(star)
        if source is self:
            return ()
        if source is not None:
            return source.exported
        if id(star) not in self._done:
            self._done.add(id(star))
            self._run(star)
        return ()


def _imported(star: Statement) -> str:
    node: Any = star.node
    return f"{'.' * node.level}{node.module or ''}"


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


class _Lazy(types.ModuleType):
    """A module that asks what fills it for the names that it lacks."""

    def __getattribute__(self, name: str) -> Any:
        if name == "__dict__":
            asking = sys._getframe(1).f_globals
            if "__lazy__" in asking or asking.get("__name__") == "__main__":
                return _filler(self).everything()
            if asking.get("__name__") in _READING_ANNOTATIONS:
                return _filler(self).annotated()
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        return _filler(self).missing(name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_filler(self).public})

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, types.ModuleType) and value.__name__ == f"{self.__name__}.{name}":
            _filler(self).hidden_by(name)


def _filler(module: types.ModuleType) -> LazyModule:
    found: LazyModule = vars(module)["__lazy__"]
    return found
