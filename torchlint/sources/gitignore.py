"""What git ignores: by ``.gitignore`` files from the repository's root down, and by settings."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.sources.filtering import matching

if TYPE_CHECKING:
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
        outside = _within_repository(folder)
        if outside or (folder / ".git").exists():
            root = outside[0] if outside else folder
            for file in (_of_user(), _of_repository(root)):
                ignored = ignored.reading(file, root)
        for outer in outside:
            ignored = ignored.within(outer)
        return cls() if ignored.covers(str(folder), folder=True) else ignored

    def within(self, folder: Path) -> Ignored:
        """These patterns and those that the folder's own ``.gitignore`` adds."""
        return self.reading(folder / NAME, folder)

    def reading(self, file: Path, folder: Path) -> Ignored:
        """These patterns and those of a file, which are relative to the folder."""
        lines = [line for line in _text(file).splitlines() if line.strip()]
        if all(line.startswith("#") for line in lines):
            return self
        return Ignored((*self.patterns, (str(folder), matching(lines))))

    def covers(self, path: str, *, folder: bool) -> bool:
        """Whether the innermost patterns that speak of the path ignore it."""
        for base, spec in reversed(self.patterns):
            relative = os.path.relpath(path, base).replace(os.sep, "/")
            decided = spec.check_file(relative + "/" if folder else relative).include
            if decided is not None:
                return decided
        return False


def _of_user() -> Path:
    """What somebody has git ignore everywhere: the file that git's settings name, or its place."""
    home = Path(os.path.expanduser("~"))
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config", "git")
    named = os.environ.get("GIT_CONFIG_GLOBAL")
    for file in [Path(named)] if named else [home / ".gitconfig", folder / "config"]:
        match = re.search(r"(?im)^\s*excludesfile\s*=\s*\"?([^\"\n]+?)\"?\s*$", _text(file))
        if match:
            return Path(os.path.expanduser(match[1]))
    return folder / "ignore"


def _of_repository(root: Path) -> Path:
    """What is ignored in one clone; a further work tree has that of the first."""
    folder = root / ".git"
    if folder.is_file():
        folder = root / _text(folder).removeprefix("gitdir:").strip()
        folder = folder / (_text(folder / "commondir").strip() or ".")
    return folder / "info" / "exclude"


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", errors="replace")
    except OSError:
        return ""


def _within_repository(folder: Path) -> list[Path]:
    """The folder's parents from the root of its git repository down; none outside of one."""
    parents = list(folder.parents)
    if (folder / ".git").exists():
        return []
    for depth, parent in enumerate(parents):
        if (parent / ".git").exists():
            return parents[depth::-1]
    return []
