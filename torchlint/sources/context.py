"""The rest of the project that named files import: read, not reported, to resolve names with."""

from __future__ import annotations

import os
import re
from collections import deque
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.sources.discovery import shown
from torchlint.sources.patterns import Pattern
from torchlint.sources.reading import Found, concerns_torch, read
from torchlint.sources.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from torchlint.findings import Finding, Trouble

    RootsOf = Callable[[Path], Sequence[str]]
    Reader = Callable[[Found], Source | Finding | Trouble]

# Nearest first; within torch itself so many files take 1.2 seconds to parse, which is as long as
# somebody who names a single file should wait at most.
MOST = 300

# A docstring may match too, which costs a file that nothing refers to; parsing would cost more.
_IMPORT = Pattern(
    r"^[ \t]*(?:import[ \t]+(?P<plain>[^\n#]+)|"
    r"from[ \t]+(?P<dots>\.*)(?P<base>[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*|[^\n#]+))",
    re.MULTILINE,
)
_WORD = Pattern(r"\w+")
_MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
_INSTALLED = frozenset({"site-packages", "dist-packages"})


def context(
    sources: Iterable[Source], roots: RootsOf | None = None, read: Reader = read
) -> Iterator[Source]:
    """The files that the sources import from their own project, and those that these import.

    ``roots`` gives further folders that the absolute imports of a file may start from, and ``read``
    reads a file.
    """
    named = list(sources)
    queue = deque(source for source in named if concerns_torch(source))
    seen = {os.path.abspath(source.file) for source in named}
    most = len(seen) + MOST
    imports = _Imports(roots)
    while queue:
        for file in imports.of(queue.popleft()):
            if file not in seen and len(seen) < most:
                seen.add(file)
                source = read(Found(shown(Path(file)), Path(file), reported=False))
                if isinstance(source, Source):
                    queue.append(source)
                    yield source


@dataclass(slots=True)
class _Imports:
    """Resolves imports to files of the project; remembers what it looked up on the disk."""

    further: RootsOf | None = None
    roots: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    resolved: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def of(self, source: Source) -> Iterator[str]:
        """The files that the source's import statements reach."""
        folder = os.path.dirname(os.path.abspath(source.file))
        for match in _IMPORT.finditer(source.text):
            for dots, name in _modules(match):
                if dots:
                    yield from self.resolve(_climb(folder, len(dots) - 1), name)
                else:
                    yield from self.absolute(folder, name)
                    for root in self.further(source.file) if self.further is not None else ():
                        yield from self.resolve(root, name)

    def absolute(self, folder: str, name: str) -> Iterator[str]:
        """The files of a module that a file in the folder imports by its full name."""
        if folder not in self.roots:
            self.roots[folder] = list(_roots(folder))
        for root, only in self.roots[folder]:
            if not only or name.partition(".")[0] == only:
                yield from self.resolve(root, name)

    def resolve(self, root: str, name: str) -> list[str]:
        """The module's file under the root and the ``__init__.py`` of every package above it."""
        known = self.resolved.get((root, name))
        if known is None:
            known = self.resolved[root, name] = list(_files(root, name))
        return known


def _modules(match: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Leading dots and dotted name of all that one import statement could mean as a module."""
    if match["plain"]:
        for clause in match["plain"].split(","):
            yield "", clause.split()[0] if clause.split() else ""
        return
    yield match["dots"], match["base"]
    for clause in match["names"].split(","):
        word = _WORD.search(clause)
        if word:
            yield match["dots"], f"{match['base']}.{word[0]}".lstrip(".")


def _files(root: str, name: str) -> Iterator[str]:
    path = root
    initial = os.path.join(path, "__init__.py")
    if not name and os.path.isfile(initial):
        yield initial
    for part in name.split("."):
        path = os.path.join(path, part)
        for file in (f"{path}.py", os.path.join(path, "__init__.py")):
            if part and os.path.isfile(file):
                yield file
        if not os.path.isdir(path):
            return


def _roots(folder: str) -> Iterator[tuple[str, str]]:
    """Where absolute imports start, and the only package that counts there; empty for any.

    Beside a package that lies among others (installed, or unpacked) only itself is the project.
    """
    outer, package = folder, ""
    while os.path.isfile(os.path.join(outer, "__init__.py")):
        outer, package = os.path.split(outer)
    if package or os.path.basename(outer) not in _INSTALLED:
        yield outer, package
    project = project_of(outer)
    if project:
        yield project, ""
        yield os.path.join(project, "src"), ""


def project_of(folder: str) -> str:
    """The nearest folder with a project's marker, else the working directory if that is above."""
    parents = [folder, *map(str, Path(folder).parents)]
    for parent in parents:
        if os.path.basename(parent) in _INSTALLED:
            return ""
        if any(os.path.exists(os.path.join(parent, marker)) for marker in _MARKERS):
            return parent
    return os.getcwd() if os.getcwd() in parents else ""


def _climb(folder: str, levels: int) -> str:
    for _ in range(levels):
        folder = os.path.dirname(folder)
    return folder
