"""What git ignores: the patterns of all ``.gitignore`` files from the repository's root down."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from pathspec import GitIgnoreSpec

NAME = ".gitignore"


@dataclass(frozen=True, slots=True)
class Ignored:
    """Patterns by the folder whose ``.gitignore`` they are from, the outermost first."""

    patterns: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    @classmethod
    def above(cls, folder: Path) -> Ignored:
        """The patterns that reach into the folder from outside.

        There are none where the folder itself is ignored: whoever names it wants to see into it.
        """
        ignored = cls()
        for outer in _within_repository(folder):
            ignored = ignored.within(outer)
        return cls() if ignored.covers(str(folder), folder=True) else ignored

    def within(self, folder: Path) -> Ignored:
        """These patterns and those that the folder's own ``.gitignore`` adds."""
        try:
            lines = (folder / NAME).read_text("utf-8", errors="replace").splitlines()
        except OSError:
            return self
        from pathspec import GitIgnoreSpec

        return Ignored((*self.patterns, (str(folder), GitIgnoreSpec.from_lines(lines))))

    def covers(self, path: str, *, folder: bool) -> bool:
        """Whether the innermost patterns that speak of the path ignore it."""
        for base, spec in reversed(self.patterns):
            relative = os.path.relpath(path, base).replace(os.sep, "/")
            decided = spec.check_file(relative + "/" if folder else relative).include
            if decided is not None:
                return decided
        return False


def _within_repository(folder: Path) -> list[Path]:
    """The folder's parents from the root of its git repository down; none outside of one."""
    parents = list(folder.parents)
    if (folder / ".git").exists():
        return []
    for depth, parent in enumerate(parents):
        if (parent / ".git").exists():
            return parents[depth::-1]
    return []
