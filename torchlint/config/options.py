"""The one table of options, for configuration files, their schema, the command line and docs."""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum
from typing import Any

from torchlint import reports
from torchlint.config.kinds import (
    Choice,
    Count,
    File,
    Flag,
    Folder,
    Glob,
    Kind,
    Listed,
    NewFolder,
    Releases,
    Selector,
    Table,
    Versions,
)
from torchlint.config.rules import RuleOptions
from torchlint.findings import Level, Severity
from torchlint.frozen import dataclass
from torchlint.settings import Settings, Stale


class Joins(StrEnum):
    """What becomes of the values that an option has in several places."""

    REPLACED = "replaced"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Option:
    """An option: how it is spelled in a configuration, what it takes, and what it is for.

    ``flag`` is what it is called on the command line, empty where it has no place there, and
    ``metavar`` what stands for its value in the help. ``unset`` says what holds where there is no
    default value that could be written.
    """

    key: str
    kind: Kind
    text: str
    example: str
    joins: Joins = Joins.REPLACED
    flag: str = ""
    metavar: str | None = None
    unset: str = ""

    @property
    def field(self) -> str:
        """The field of ``Settings`` that holds it."""
        return self.key.replace("-", "_")

    @property
    def default(self) -> Any:
        """What holds where nobody says anything."""
        return _DEFAULTS[self.field]


_DEFAULTS = {field.name: field.default for field in fields(Settings)}

_RULES = Listed(Selector(), "rules")
_PATHS = Listed(Glob(), "patterns of paths")

CACHE = ".torchlint_cache"
"""The usual folder for what is kept for later runs."""

SELECTION = frozenset({"select", "extend-select", "ignore", "extend-ignore"})
"""What a new ``select`` starts afresh."""

_TABLE = (
    Option(
        "select",
        _RULES,
        "Run these rules only: codes, prefixes, names, levels, ALL.",
        'select = ["TL1", "TL2", "suspicious"]',
        flag="--select",
        metavar="RULES",
        unset="all rules",
    ),
    Option(
        "extend-select",
        _RULES,
        "Run these rules too.",
        'extend-select = ["loader-shuffle"]',
        Joins.ADDED,
        flag="--extend-select",
        metavar="RULES",
    ),
    Option(
        "ignore",
        _RULES,
        "Leave these rules out.",
        'ignore = ["TL501"]',
        Joins.ADDED,
        flag="--ignore",
        metavar="RULES",
    ),
    Option(
        "extend-ignore",
        _RULES,
        "Leave these rules out too.",
        'extend-ignore = ["performance"]',
        Joins.ADDED,
        flag="--extend-ignore",
        metavar="RULES",
    ),
    Option(
        "per-file-ignores",
        Table(Glob(), _RULES, "patterns of paths", "lists of rules"),
        "Leave rules out of files; ! before a pattern means all other files.",
        'per-file-ignores = {"tests/" = ["ALL"], "!src/" = ["TL2"]}',
        Joins.ADDED,
        flag="--per-file-ignores",
        metavar="GLOB:RULES",
    ),
    Option(
        "level",
        Choice(lambda: Level, Level),
        "Show findings of this level and of surer ones.",
        'level = "suspicious"',
        flag="--level",
    ),
    Option(
        "severity",
        Table(Selector(), Choice(lambda: Severity, Severity), "rules", "severities"),
        "How grave findings are; by default those of level correctness are errors.",
        'severity = {TL501 = "note", suspicious = "error"}',
        Joins.ADDED,
    ),
    Option(
        "rules",
        RuleOptions(),
        "Options of single rules; --explain tells of them.",
        "rules = {TL214 = {largest = 0.5}}",
        Joins.ADDED,
    ),
    Option(
        "fixable",
        _RULES,
        "Fix findings of these rules only.",
        'fixable = ["TL3", "TL903"]',
        flag="--fixable",
        metavar="RULES",
    ),
    Option(
        "unfixable",
        _RULES,
        "Fix no findings of these rules.",
        'unfixable = ["performance"]',
        Joins.ADDED,
        flag="--unfixable",
        metavar="RULES",
    ),
    Option(
        "extend-safe-fixes",
        _RULES,
        "Take the fixes of these rules for safe.",
        'extend-safe-fixes = ["TL903"]',
        Joins.ADDED,
    ),
    Option(
        "extend-unsafe-fixes",
        _RULES,
        "Take the fixes of these rules for unsafe.",
        'extend-unsafe-fixes = ["TL809"]',
        Joins.ADDED,
    ),
    Option(
        "ignore-suppressions",
        Flag(),
        "Report what comments suppress too.",
        "ignore-suppressions = true",
        flag="--ignore-suppressions/--no-ignore-suppressions",
    ),
    Option(
        "require-reason",
        Flag(),
        "Report comments that suppress something and do not say why.",
        "require-reason = true",
        flag="--require-reason/--no-require-reason",
    ),
    Option(
        "fail-on",
        Choice(lambda: Severity, Severity),
        "Exit with 1 for findings of this severity and graver ones.",
        'fail-on = "error"',
        flag="--fail-on",
    ),
    Option(
        "max-warnings",
        Count(),
        "Exit with 0 if there are no errors and at most so many other findings.",
        "max-warnings = 20",
        flag="--max-warnings",
        metavar="N",
        unset="no warning is too few",
    ),
    Option(
        "baseline",
        File(),
        "Report only what this file does not list; --write-baseline writes it.",
        'baseline = "torchlint-baseline.json"',
        flag="--baseline",
        metavar="FILE",
        unset="none",
    ),
    Option(
        "baseline-stale",
        Choice(lambda: Stale, Stale),
        "Whether a run warns or fails when it no longer finds what the baseline lists.",
        'baseline-stale = "error"',
        flag="--baseline-stale",
    ),
    Option(
        "required-version",
        Versions(),
        "Refuse to run as another version of torchlint.",
        'required-version = ">=0.1"',
        unset="any version",
    ),
    Option(
        "torch-version",
        Releases(),
        "Releases of torch to check for.",
        'torch-version = ">=2.1,<2.6"',
        flag="--torch-version",
        metavar="VERSION",
        unset="what the project's files say",
    ),
    Option(
        "src",
        Listed(Folder(), "paths"),
        "What is checked if no path is given; absolute imports are looked for there too.",
        'src = ["src", "scripts"]',
        unset="the current folder",
    ),
    Option(
        "exclude",
        _PATHS,
        "Leave out these files and folders, in place of the usual ones.",
        'exclude = ["third_party", "*_pb2.py"]',
        flag="--exclude",
        metavar="GLOBS",
    ),
    Option(
        "extend-exclude",
        _PATHS,
        "Leave out these files and folders as well.",
        'extend-exclude = ["vendored/"]',
        Joins.ADDED,
        flag="--extend-exclude",
        metavar="GLOBS",
    ),
    Option(
        "extend-include",
        _PATHS,
        "Look for these files in folders too, beside .py and .ipynb.",
        'extend-include = ["docs/*.md"]',
        Joins.ADDED,
        flag="--extend-include",
        metavar="GLOBS",
    ),
    Option(
        "force-exclude",
        Flag(),
        "Leave excluded files out though they are named.",
        "force-exclude = true",
        flag="--force-exclude/--no-force-exclude",
    ),
    Option(
        "respect-gitignore",
        Flag(),
        "Leave out what git ignores.",
        "respect-gitignore = false",
        flag="--respect-gitignore/--no-respect-gitignore",
    ),
    Option(
        "jobs",
        Count(1),
        "So many processes at once.",
        "jobs = 4",
        flag="--jobs",
        metavar="N",
        unset="one a processor, where that saves time",
    ),
    Option(
        "cache-dir",
        NewFolder(),
        "Keep what was found out for later runs in this folder; empty for none.",
        'cache-dir = ".cache/torchlint"',
        flag="--cache-dir",
        metavar="FOLDER",
        unset=f"{CACHE} in the working directory",
    ),
    Option(
        "output-format",
        Choice(reports.names),
        "How findings are written to standard output.",
        'output-format = "concise"',
        flag="--output-format",
    ),
)

OPTIONS = {option.key: option for option in _TABLE}
