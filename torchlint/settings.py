"""What a run is asked to do: which rules, how sure, in which files."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from torchlint.findings import Level, Severity
from torchlint.frozen import dataclass, replace
from torchlint.sources.filtering import EXCLUDED, Filter, Pattern, made

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from torchlint.findings import Finding
    from torchlint.releases import Releases

DEFAULT_EXCLUDE = tuple(Pattern(name) for name in sorted(EXCLUDED))


class Stale(StrEnum):
    """What becomes of a run that no longer finds what a baseline lists."""

    IGNORE = "ignore"
    WARN = "warn"
    ERROR = "error"


class SettingsError(Exception):
    """Settings that mean nothing: a sentence for each, with the place where it is written."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for a file, or for a run over files of which the same holds.

    Selectors are codes, prefixes of codes, names, levels, or ``ALL``. The more specific one wins,
    whichever list it is in; among equals ``ignore`` does. An empty ``select`` means all rules.
    Findings less sure than ``level`` are hidden, but where their rule is selected by its whole code
    or its name, or their level is. ``torch_version`` is a version of torch or a range of them, such
    as ``>=2.1,<2.6``; empty, the files of the project say which it supports.

    The options of ``config/options.py`` say what each is for; ``off`` are the selectors that
    ``per_file_ignores`` has for the file.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    level: Level = Level.PERFORMANCE
    torch_version: str = ""
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[Pattern, tuple[str, ...]], ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()
    exclude: tuple[Pattern, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[Pattern, ...] = ()
    extend_include: tuple[Pattern, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    src: tuple[str, ...] = ()
    output_format: str = "full"
    fail_on: Severity = Severity.NOTE
    max_warnings: int | None = None
    jobs: int | None = None
    cache_dir: str = ""
    rules: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = ()
    fixable: tuple[str, ...] = ("ALL",)
    unfixable: tuple[str, ...] = ()
    extend_safe_fixes: tuple[str, ...] = ()
    extend_unsafe_fixes: tuple[str, ...] = ()
    ignore_suppressions: bool = False
    require_reason: bool = False
    required_version: str = ""
    baseline: str = ""
    baseline_stale: Stale = Stale.WARN
    off: tuple[str, ...] = ()

    def of(self, file: Path) -> Settings:
        """What holds for this file."""
        if not self.per_file_ignores:
            return self
        path = os.path.abspath(file)
        off = tuple(
            selector
            for pattern, selectors in self.per_file_ignores
            if pattern.means(path)
            for selector in selectors
        )
        return replace(self, per_file_ignores=(), off=(*self.off, *off))

    def of_folder(self, folder: str) -> Settings:
        """What holds in this folder."""
        return self

    def of_rule(self, code: str, option: str, default: Any) -> Any:
        """The value of an option of a rule; the later of several counts."""
        tables = [dict(options) for rule, options in self.rules if rule == code]
        return next((table[option] for table in reversed(tables) if option in table), default)

    @property
    def filter(self) -> Filter:
        """Which files are left out."""
        patterns = (*self.exclude, *self.extend_exclude)
        return made(patterns, self.extend_include, self.force_exclude, self.respect_gitignore)

    @property
    def torch(self) -> Releases | None:
        """The releases of torch that are set; ValueError where they are misspelt."""
        if not self.torch_version:
            return None
        from torchlint.releases import parse

        return parse(self.torch_version, "torch-version")


class SettingsOf(Protocol):
    """Settings that differ from file to file; ``Settings`` themselves are the same for all."""

    def of(self, file: Path) -> Settings:
        """What holds for this file; SettingsError where its configuration is wrong."""

    def of_folder(self, folder: str) -> Settings:
        """What holds in this folder, whatever its files are called."""


@dataclass(frozen=True, slots=True)
class Start:
    """A program of the user's: its path with what it is told, and how it is started.

    ``module`` is its name where it is started as one (``python -m``), ``variables`` are those of
    the environment that are set for it.
    """

    words: tuple[str, ...] = ()
    module: str = ""
    variables: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ConfirmSettings:
    """How findings are executed: the interpreter, the device, the time for each, how many at once.

    ``seconds`` is the time that one experiment may take, ``cache_dir`` where verdicts are kept for
    later runs, empty if they are not. ``command`` is a program that is to be run for them.
    ``chosen`` says which findings are run, all if it is not given.
    """

    python: str
    device: str = "cpu"
    seconds: float = 30.0
    jobs: int = max(1, (os.cpu_count() or 2) // 2)
    cache_dir: str = ""
    command: Start = Start()
    chosen: Callable[[Finding], bool] | None = None
