"""Finds the modules that the code imports: the project's own, and stand-ins for what is missing."""

from __future__ import annotations

import ast
import glob
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types
from typing import TYPE_CHECKING

from . import taint
from .callers import tops_of
from .lazy import LazyModule
from .places import is_on_its_lines
from .trees import parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .loading import Texts
    from .protocol import Target


class ProjectFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules of the user's project, lazily and from the replaced texts."""

    def __init__(self, texts: Texts, roots: Sequence[str]) -> None:
        self.texts = texts
        self.roots = tuple(roots)
        self.packages: list[str] = []
        self.lazy: dict[str, LazyModule] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of a file or package below the roots."""
        if path is None and name in _STANDARD:
            return None
        last = name.rpartition(".")[2]
        for folder in self.roots if path is None else path:
            if path is None or self.owns(folder):
                stem = os.path.join(folder, last)
                spec = self.spec(name, stem) or (self.folder(name, stem) if path else None)
                if spec is not None:
                    return spec
        return None

    def owns(self, path: str) -> bool:
        """Whether a file or folder belongs to the project."""
        path = os.path.abspath(path)
        owned = (*self.roots, *self.packages)
        return any(path == root or path.startswith(root + os.sep) for root in owned)

    def spec(self, name: str, stem: str) -> importlib.machinery.ModuleSpec | None:
        """The spec of a module whose file, without its suffix, or folder would be ``stem``."""
        init = os.path.join(stem, "__init__.py")
        if os.path.isfile(init):
            return importlib.util.spec_from_file_location(
                name, init, loader=self, submodule_search_locations=[stem]
            )
        if os.path.isfile(stem + ".py"):
            return importlib.util.spec_from_file_location(name, stem + ".py", loader=self)
        return None

    def folder(self, name: str, stem: str) -> importlib.machinery.ModuleSpec | None:
        """The spec of a folder of code without ``__init__.py``: what has one anywhere is before."""
        if not _holds_code(stem):
            return None
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [stem]
        return spec

    def exec_module(self, module: types.ModuleType) -> None:
        """Run what every use of the file needs; the rest waits until it is asked for."""
        assert module.__spec__ is not None
        assert module.__spec__.origin is not None
        file = os.path.abspath(module.__spec__.origin)
        contents = self.texts.contents(file)
        self.lazy[module.__name__] = LazyModule(module, contents, file, self._lazy)

    def _lazy(self, name: str) -> LazyModule | None:
        """The module of the project that has a name, None for one from elsewhere."""
        if name not in self.lazy:
            found = importlib.util.find_spec(name)
            if found is None or found.loader is not self:
                return None
            importlib.import_module(name)
        return self.lazy.get(name)


class LateFinder(importlib.abc.MetaPathFinder):
    """Finds packages where a project has them that its scripts expect to be installed.

    What is a folder without ``__init__.py`` is found here as well, as nothing else is of that name.
    """

    def __init__(self, project: ProjectFinder, root: str) -> None:
        tops = tops_of(os.path.abspath(root))
        self._project = project
        inside = [folder for top in tops for folder in (os.path.join(top, "src"), top)]
        self._folders = [*project.roots, *inside]

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """What the project has and nothing else knows by that name."""
        if path is not None or name in _STANDARD or _asking(self._project) is None:
            return None
        for folder in self._folders:
            stem = os.path.join(folder, name)
            found = self._project.spec(name, stem) or self._project.folder(name, stem)
            if found is not None:
                self._project.packages += [stem, f"{stem}.py"]
                return found
        return None


class StandInFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for third-party modules that are not installed, where the project imports them.

    An installed library that tries an optional import gets its ImportError, and so does the
    project where it is prepared for one. At the flagged place what an installed package lacks is
    not there, and what stands in for one that is not installed leaves the question open.
    """

    def __init__(self, project: ProjectFinder, target: Target) -> None:
        self._project = project
        self._target = target
        self.made: list[str] = []

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """A package in which everything can be found."""
        root = name.partition(".")[0]
        if name.rpartition(".")[0] in self._project.lazy:
            return None  # what is not in a package of the project is nowhere
        stood_in = isinstance(sys.modules.get(root), _StandInModule)
        frame = _asking(self._project)
        if not stood_in and (root in _STANDARD or not self._may_stand_in(frame)):
            return None
        if frame is not None and is_on_its_lines(frame, self._target):
            if not stood_in and name != root:
                return None
            taint.note(f"`{name}` is not installed and was stood in for")
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        """An empty module; its attributes come when they are asked for."""
        self.made.append(spec.name)
        return _StandInModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing to run."""

    def _may_stand_in(self, frame: types.FrameType | None) -> bool:
        if frame is None:
            return False
        tree = self._project.texts.tree(frame.f_code.co_filename)
        return not _is_prepared(tree, frame.f_lineno)


class _StandInModule(types.ModuleType):
    def __getattr__(self, name: str) -> taint.StandIn:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return taint.StandIn(f"{self.__name__}.{name}")


def _holds_code(folder: str) -> bool:
    """Whether there are files of Python in a folder, or in those within it."""
    patterns = ("*.py", os.path.join("*", "*.py"))
    return any(glob.glob(os.path.join(glob.escape(folder), each)) for each in patterns)


_STANDARD = frozenset(getattr(sys, "stdlib_module_names", ())) | set(sys.builtin_module_names)


def _asking(project: ProjectFinder) -> types.FrameType | None:
    """The project's code that imports, None where a library does."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and _is_machinery(frame.f_code.co_filename):
        frame = frame.f_back
    return frame if frame is not None and project.owns(frame.f_code.co_filename) else None


def _is_machinery(file: str) -> bool:
    return "importlib" in file or os.path.abspath(file) == os.path.abspath(__file__)


def _is_prepared(tree: ast.Module, line: int) -> bool:
    """Whether the import at a line stands in a ``try`` that may catch its failure."""
    return any(
        isinstance(node, ast.Try) and any(_covers(part, line) for part in node.body)
        for node in parts(tree)
    )


def _covers(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)
