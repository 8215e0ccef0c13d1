"""Loads the user's files without their side effects.

Only the top-level statements that a name depends on are run, when the name is asked for; file
names and line numbers stay the user's. What cannot be had is stood in for, and its use recorded.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import linecache
import os
import re
import sys
import tokenize
from typing import TYPE_CHECKING, Any

from . import taint
from .callers import project_files
from .finders import LateFinder, ProjectFinder, StandInFinder
from .outlines import Outline, kept_at, outline
from .statements import Contents

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator

    from .protocol import Job


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


_RELATIVE = re.compile(r"^[ \t]*from[ \t]+\.", re.MULTILINE)
