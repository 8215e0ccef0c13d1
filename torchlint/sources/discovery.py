"""Paths to files: folders are walked, what git ignores and what is not the user's is left out."""

from __future__ import annotations

import os
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.findings import Trouble
from torchlint.frozen import dataclass
from torchlint.sources.filtering import Filter
from torchlint.sources.formats import is_walked
from torchlint.sources.gitignore import Ignored
from torchlint.sources.reading import Found, cannot_read

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    FilterOf = Callable[[str], Filter]

STDIN = "-"

# Where the settings of a folder may stand; the first that is there counts.
CONFIGURATIONS = ("torchlint.toml", ".torchlint.toml", "pyproject.toml")


@dataclass(slots=True)
class Discovered:
    """The files that the paths name, what could not be looked at, and what is worth saying."""

    files: list[Found] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def discover(
    paths: Sequence[str], filter_of: FilterOf | None = None, known: Container[str] = ()
) -> Discovered:
    """All Python files under the paths, each once, in the order of their paths.

    ``filter_of`` says what is left out of a folder; it is asked where a configuration may lie. What
    is ``known`` by the path that reports show need not lie on the disk.
    """
    discovered = Discovered()
    seen: set[str] = set()
    for path in paths:
        if shown(Path(path)) in known:
            _add(Path(path), discovered, seen)
        else:
            _take(Path(path), discovered, seen, filter_of or _usual)
    discovered.files.sort(key=lambda found: found.path)
    return discovered


def shown(file: Path) -> str:
    """The path as reports show it: relative to the working directory, slashes, printable."""
    try:
        relative = os.path.relpath(file)
    except ValueError:  # another drive, on Windows
        relative = str(file)
    return "".join(map(_printable, relative.replace(os.sep, "/")))


def _printable(character: str) -> str:
    return character if character.isprintable() else ascii(character)[1:-1]


def _usual(folder: str) -> Filter:
    return Filter()


def _take(path: Path, discovered: Discovered, seen: set[str], filter_of: FilterOf) -> None:
    folder = path if path.is_dir() else path.parent
    if folder.is_dir() and filter_of(os.path.abspath(folder)).excludes_named(os.path.abspath(path)):
        return
    if path.is_dir():
        before = len(discovered.files)
        for file in _walk(path.resolve(), filter_of, discovered.troubles):
            _add(path / file, discovered, seen)
        if len(discovered.files) == before and not _holds_seen(path, seen):
            discovered.warnings.append(f"no Python files found under {shown(path)}")
    elif os.path.lexists(path):
        _add(path, discovered, seen)
    else:
        message = "does not exist; check the spelling or the working directory"
        discovered.troubles.append(Trouble(shown(path), message, fatal=True))


def _holds_seen(folder: Path, seen: set[str]) -> bool:
    root = os.path.join(os.path.realpath(folder), "")
    return any(file.startswith(root) for file in seen)


def _add(file: Path, discovered: Discovered, seen: set[str]) -> None:
    """Add the file unless it, or another link to it, is there already."""
    identity = os.path.realpath(file)
    if identity not in seen:
        seen.add(identity)
        discovered.files.append(Found(shown(file), file))


def _walk(root: Path, filter_of: FilterOf, troubles: list[Trouble]) -> Iterator[str]:
    """Paths of Python files relative to ``root``; links to folders are not followed."""
    named = str(root)
    filtered = filter_of(named)
    pending = [(named, filtered, Ignored.above(root) if filtered.gitignore else Ignored())]
    while pending:
        folder, filtered, ignored = pending.pop()
        entries = _entries(folder, troubles)
        names = {entry.name for entry in entries}
        if folder != named and _is_environment(names):
            continue
        if not names.isdisjoint(CONFIGURATIONS):
            filtered = filter_of(folder)
        if ".gitignore" in names and filtered.gitignore:
            ignored = ignored.within(Path(folder))
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not _is_wanted(entry, filtered):
                continue
            if filtered.excludes(entry.path, entry.name, folder=is_folder):
                continue
            if ignored.covers(entry.path, folder=is_folder):
                continue
            if is_folder:
                pending.append((entry.path, filtered, ignored))
            else:
                yield os.path.relpath(entry.path, root)


def _is_environment(names: set[str]) -> bool:
    """Whether a folder has what an environment is made of; its settings alone may be left over.

    One that was named holds code beside them, as packages are left out by the name of their folder.
    """
    return "pyvenv.cfg" in names and not names.isdisjoint({"bin", "Scripts", "lib", "Lib"})


def _entries(folder: str, troubles: list[Trouble]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        troubles.append(Trouble(shown(Path(folder)), cannot_read(Path(folder), error)))
        return []


def _is_wanted(entry: os.DirEntry[str], filtered: Filter) -> bool:
    """Whether it is a file that holds Python, or a broken link in the place of one.

    Emacs' locks are not.
    """
    if entry.name.startswith(".#"):
        return False
    if not is_walked(entry.name) and not (filtered.included and filtered.includes(entry.path)):
        return False
    return not (entry.is_symlink() and os.path.isdir(entry.path))
