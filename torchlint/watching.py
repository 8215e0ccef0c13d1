"""Runs that follow one another: another look whenever a file has changed that may matter."""

from __future__ import annotations

import gc
import os
from typing import TYPE_CHECKING, Any

import click

from torchlint.arguments import refuse_together
from torchlint.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_OTHERS = (
    "confirm",
    "fix",
    "diff",
    "fix_only",
    "add_ignore",
    "write_baseline",
    "prune_baseline",
    "show_files",
    "clear_cache",
    "show_settings",
)
"""What is done once, or changes files itself."""

_MISSING = (
    "--watch needs watchfiles, which is not installed; "
    "install it with: pip install 'torchlint[watch]'"
)

# Settings, and what is said of the releases of torch, matter as code does.
_ENDINGS = (".py", ".ipynb", ".md", ".toml", ".cfg", ".txt", ".lock", ".yml", ".yaml", ".gitignore")

_IDLE = 200
"""So many milliseconds go by before it is certain that nothing has changed."""


def asked(given: dict[str, Any], paths: Sequence[str]) -> bool:
    """Whether to go on watching; UsageError where that does not go with what else is asked for."""
    refuse_together(given, "watch", _OTHERS)
    if given["watch"] and "-" in paths:
        raise click.UsageError("--watch is for files, and - is none.")
    return bool(given["watch"])


def watch(paths: Sequence[str], look: Callable[[], object]) -> None:
    """Look, and look again after each change, until the user ends it."""
    for path in paths:
        if not os.path.exists(path):
            raise SettingsError(f"{path} does not exist; check the spelling.")
    gc.enable()  # What one look leaves behind is not to be there at the next.
    for _ in _changes(sorted({_around(path) for path in paths})):
        click.clear()
        look()
        click.echo("torchlint: watching for changes; Ctrl-C ends it.", err=True)


def _around(path: str) -> str:
    """The folder of the project that a path lies in: it may be that any of its files matters."""
    from torchlint.sources.context import project_of

    absolute = os.path.abspath(path)
    folder = absolute if os.path.isdir(absolute) else os.path.dirname(absolute)
    return project_of(folder) or folder


def _changes(folders: Sequence[str]) -> Iterator[None]:
    """Once at the beginning, when changes are watched for already, and then for each of them."""
    try:
        import watchfiles
    except ModuleNotFoundError:
        raise SettingsError(_MISSING) from None
    changes = watchfiles.watch(
        *folders,
        watch_filter=lambda change, path: _matters(path, folders),
        debounce=2 * _IDLE,
        rust_timeout=_IDLE,
        yield_on_timeout=True,
    )
    try:
        next(changes)
        yield
        for change in changes:
            if change:
                yield
    except OSError as error:
        raise SettingsError(f"--watch: {error}.") from error


def _matters(path: str, folders: Sequence[str]) -> bool:
    """Whether what a run says may change with the file."""
    from torchlint.sources.filtering import EXCLUDED

    folder = max((each for each in folders if path.startswith(each)), key=len, default="")
    parts = os.path.relpath(path, folder or None).split(os.sep)
    return path.endswith(_ENDINGS) and EXCLUDED.isdisjoint(parts)
