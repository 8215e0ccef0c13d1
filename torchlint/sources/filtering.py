"""What is left out of a walk through folders: patterns of the settings, and what git ignores."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pathspec import GitIgnoreSpec

    Specs = tuple[tuple[str, GitIgnoreSpec], ...]

# Folders that hold other people's code or none, as ruff leaves them out too.
_EXCLUDED = """
    .bzr .direnv .eggs .git .git-rewrite .hg .ipynb_checkpoints .mypy_cache .nox .pants.d .pyenv
    .pytest_cache .pytype .ruff_cache .svn .tox .venv .vscode __pycache__ __pypackages__ _build
    buck-out build dist node_modules site-packages venv
"""
EXCLUDED = frozenset(_EXCLUDED.split())

_SPECIAL = frozenset("*?[]!/\\#")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as ``.gitignore`` has them, and the folder that it is relative to.

    Without a folder it is relative to the working directory.
    """

    text: str
    base: str = ""

    @property
    def is_name(self) -> bool:
        """Whether it is a plain name, which means whatever is called so anywhere."""
        return not _SPECIAL & set(self.text)

    def means(self, path: str) -> bool:
        """Whether it means a file; what follows a leading ``!`` means all others."""
        negated = self.text.startswith("!")
        spec = _spec((self.text[negated:],))
        return spec.match_file(_relative(path, self.base)) is not negated


@dataclass(frozen=True, slots=True)
class Filter:
    """What is left out; ``force`` also of what was named itself.

    ``specs`` are patterns by the folder that they are relative to, and ``included`` those of files
    that are looked for whatever they are called.
    """

    names: frozenset[str] = EXCLUDED
    specs: Specs = ()
    included: Specs = ()
    force: bool = False
    gitignore: bool = True

    def excludes(self, path: str, name: str, *, folder: bool) -> bool:
        """Whether a file or folder that a walk comes to is left out."""
        return name in self.names or _match(self.specs, path, folder=folder)

    def includes(self, path: str) -> bool:
        """Whether a file is looked for though it is not called as Python files are."""
        return _match(self.included, path)

    def excludes_named(self, path: str) -> bool:
        """Whether a path that was named is left out, for its own sake or a folder's above it."""
        if not self.force:
            return False
        folder = os.path.isdir(path)
        parts = os.path.relpath(path).split(os.sep)
        return not self.names.isdisjoint(parts) or _match(self.specs, path, folder=folder)


def _match(specs: Specs, path: str, *, folder: bool = False) -> bool:
    return any(spec.match_file(_relative(path, base) + "/" * folder) for base, spec in specs)


@cache
def made(
    excluded: tuple[Pattern, ...], included: tuple[Pattern, ...], force: bool, gitignore: bool
) -> Filter:
    """The filter of some patterns; plain names need no matching, which is what most are."""
    names = frozenset(pattern.text for pattern in excluded if pattern.is_name)
    others = [pattern for pattern in excluded if not pattern.is_name]
    return Filter(names, _specs(others), _specs(included), force, gitignore)


def _specs(patterns: Iterable[Pattern]) -> Specs:
    by_base: dict[str, list[str]] = {}
    for pattern in patterns:
        by_base.setdefault(pattern.base, []).append(pattern.text)
    return tuple((base, _spec(tuple(texts))) for base, texts in by_base.items())


@cache
def _spec(patterns: Sequence[str]) -> GitIgnoreSpec:
    return matching(patterns)


def matching(lines: Iterable[str]) -> GitIgnoreSpec:
    """What matches the patterns of some lines; those that mean nothing match nothing, as in git."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except (ValueError, re.error):
        return GitIgnoreSpec.from_lines(filter(is_pattern, lines))


def is_pattern(text: str) -> bool:
    """Whether a line means something: most do, and only what has one of these may not."""
    if not {"\\", "[", "!"} & set(text):
        return True
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([text])
    except (ValueError, re.error):
        return False
    return True


def _relative(path: str, base: str) -> str:
    """The path as patterns see it; of one that lies elsewhere, the folders that lead there."""
    try:
        relative = os.path.relpath(path, base or None).replace(os.sep, "/")
    except ValueError:  # another drive, on Windows
        return os.path.splitdrive(path)[1].replace(os.sep, "/").lstrip("/")
    while relative.startswith("../"):
        relative = relative.removeprefix("../")
    return relative
