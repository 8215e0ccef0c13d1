"""Loads the user's files without their side effects.

Only the top-level statements that a name depends on are run, when the name is asked for; file
names and line numbers stay the user's. What cannot be had is stood in for, and its use recorded.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import re
import sys
import tokenize
import types
from typing import TYPE_CHECKING, Any

from . import taint
from .callers import project_files, top_of
from .lazy import LazyModule
from .outlines import Outline, kept_at, outline
from .places import is_on_its_lines
from .statements import Contents
from .trees import parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .protocol import Job, Target


class Texts:
    """The text of the user's files, some of them replaced."""

    def __init__(self, replaced: dict[str, str], outlines: str = "") -> None:
        self._trees: dict[str, ast.Module] = {}
        self._contents: dict[str, Contents] = {}
        self._outlines: dict[str, Outline] = {}
        self._kept = outlines
        self._relative: set[str] = set()
        self._replaced = {os.path.abspath(file): text for file, text in replaced.items()}
        for file, text in self._replaced.items():
            lines = text.splitlines(keepends=True)
            linecache.cache[file] = (len(text), None, lines, file)

    def read(self, file: str) -> str:
        """The text that the run is to see."""
        replaced = self._replaced.get(file)
        if replaced is not None:
            return replaced
        with tokenize.open(file) as stream:
            return stream.read()

    def tree(self, file: str) -> ast.Module:
        """The parsed text, positions as in the file."""
        if file not in self._trees:
            text = self.read(file)
            self._trees[file] = ast.parse(text, file)
            if _RELATIVE.search(text):
                self._relative.add(file)
        return self._trees[file]

    def contents(self, file: str) -> Contents:
        """The statements of a file."""
        if file not in self._contents:
            self._contents[file] = Contents(self.tree(file), file)
        return self._contents[file]

    def parsed(self, file: str) -> ast.Module:
        """The parsed text of a file that is not about to be run."""
        return self._trees.get(file) or ast.parse(self.read(file), file)

    def outline(self, file: str) -> Outline:
        """What the file says of who calls whom; raises what reading or parsing it does."""
        if file not in self._outlines:
            self._outlines[file] = self._outline(file)
        return self._outlines[file]

    def _outline(self, file: str) -> Outline:
        if self._kept and file not in self._replaced:
            kept = kept_at(self._kept, file)
            with contextlib.suppress(OSError, ValueError), open(kept, encoding="utf-8") as stream:
                return Outline.parse(stream.read())
        return outline(self.read(file), self._trees.get(file))

    def imports_relatively(self, file: str) -> bool:
        """Whether a file imports from its own package, which no script can."""
        self.tree(file)
        return file in self._relative

    def holds(self, file: str, text: str) -> bool:
        """Whether a file says something."""
        if file in self._replaced:
            return text in self._replaced[file]
        try:
            with open(file, "rb") as stream:
                return text.encode() in stream.read()
        except OSError:
            return False


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
                spec = self.spec(name, os.path.join(folder, last))
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
        if os.path.isdir(stem) and any(entry.endswith(".py") for entry in os.listdir(stem)):
            spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [stem]
            return spec
        return None

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
    """Finds packages where a project has them that its scripts expect to be installed."""

    def __init__(self, project: ProjectFinder, root: str) -> None:
        top = top_of(os.path.abspath(root))
        self._project = project
        self._folders = [os.path.join(top, "src"), top]

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """What the project has and nothing else knows by that name."""
        if path is not None or name in _STANDARD or _asking(self._project) is None:
            return None
        for folder in self._folders:
            stem = os.path.join(folder, name)
            found = self._project.spec(name, stem)
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


class Program:
    """The user's program as far as it has been asked for; ``texts`` are those of another run."""

    def __init__(self, job: Job, texts: Texts | None = None) -> None:
        self.job = job
        self.file = os.path.abspath(job.target.file)
        self.texts = texts or Texts(job.texts, job.outlines)
        self.name, home = module_name(self.file, job.root)
        roots = [*job.search_path, home, os.path.abspath(job.root)]
        if not ("." in self.name and self.texts.imports_relatively(self.file)):
            roots.append(os.path.dirname(self.file))  # as a script it would be found from there
        self.finder = ProjectFinder(self.texts, list(dict.fromkeys(roots)))
        # How deep within others a class was to be built in vain, and with how many seconds.
        self.unbuilt: dict[type, tuple[int, float]] = {}
        self._stand_ins = StandInFinder(self.finder, job.target)
        self._added = [LateFinder(self.finder, job.root), self._stand_ins]

    @property
    def names(self) -> dict[str, Any]:
        """The globals of the target's file that have been provided."""
        return self.module(self.file).__dict__

    @property
    def tainted(self) -> list[str]:
        """What the run depended on that is not the user's program."""
        return taint.reasons()

    def tree(self, file: str | None = None) -> ast.Module:
        """The syntax tree of a file, by default the target's."""
        return self.texts.tree(os.path.abspath(file or self.file))

    def naming(self, text: str) -> Iterator[str]:
        """Other files of the project that say something, the nearest to the target's first."""
        for file in project_files(self.file, os.path.abspath(self.job.root)):
            if self.texts.holds(file, text):
                yield file

    def module(self, file: str) -> types.ModuleType:
        """The module of a file of the project."""
        file = os.path.abspath(file)
        name = self.name if file == self.file else module_name(file, self.job.root)[0]
        if not all(part.isidentifier() for part in name.split(".")):
            return self._unimportable(name, file)
        return importlib.import_module(name)

    def provide(self, *names: str) -> None:
        """Run what the names of the target's file need."""
        module = self.module(self.file)
        self.finder.lazy[module.__name__].provide(names)

    def provide_all(self) -> None:
        """Run every definition and binding of the target's file, but no training."""
        module = self.module(self.file)
        lazy = self.finder.lazy[module.__name__]
        lazy.provide(lazy.public)

    def scope_object(self, scope: str) -> Any:
        """The function or class of a dotted name, or None where it cannot be reached."""
        if not scope:
            return self.module(self.file)
        first, *rest = scope.split(".")
        found = getattr(self.module(self.file), first, None)
        for part in rest:
            found = getattr(found, part, None)
        return found

    def close(self) -> None:
        """Take the project's modules out of the interpreter again."""
        for name in [*self.finder.lazy, *self._stand_ins.made]:
            sys.modules.pop(name, None)
        sys.meta_path[:] = [
            finder for finder in sys.meta_path if finder not in (self.finder, *self._added)
        ]

    def open(self) -> None:
        """Make the project importable."""
        sys.meta_path.insert(0, self.finder)
        sys.meta_path.extend(self._added)
        sys.argv = [self.file]

    def _unimportable(self, name: str, file: str) -> types.ModuleType:
        """A file whose name is no identifier, such as ``train-net.py``."""
        module = sys.modules.get(name)
        if module is None:
            spec = importlib.util.spec_from_file_location(name, file, loader=self.finder)
            assert spec is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            self.finder.exec_module(module)
        return module


def load(job: Job) -> Program:
    """The program around the job's target, ready to be asked for names."""
    while _loaded:
        _loaded.pop().close()
    taint.forget()
    program = Program(job)
    program.open()
    _loaded.append(program)
    if job.scope:
        program.provide(job.scope.partition(".")[0])
    return program


_loaded: list[Program] = []


def module_name(file: str, root: str) -> tuple[str, str]:
    """The dotted name under which a file is imported, and the folder it is found from."""
    folder, base = os.path.split(os.path.abspath(file))
    stem, suffix = os.path.splitext(base)
    # A notebook is no module, and may import the one that is called as it is.
    parts = [stem if suffix in {".py", ""} else base.replace(".", "-")]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        parts.insert(0, package)
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts), folder


_STANDARD = frozenset(getattr(sys, "stdlib_module_names", ())) | set(sys.builtin_module_names)


_RELATIVE = re.compile(r"^[ \t]*from[ \t]+\.", re.MULTILINE)


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
