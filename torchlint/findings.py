"""What a run of torchlint says: findings, places, fixes and verdicts, as plain frozen data."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Severity(StrEnum):
    """How grave a finding is, in the words of CI systems and editors; the gravest comes first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Level(StrEnum):
    """How sure a rule is, and whether it speaks by default; the surest comes first."""

    CORRECTNESS = "correctness"
    SUSPICIOUS = "suspicious"
    PERFORMANCE = "performance"
    PEDANTIC = "pedantic"

    @property
    def severity(self) -> Severity:
        """How grave a finding of this level is, unless the settings say otherwise."""
        return Severity.ERROR if self is Level.CORRECTNESS else Severity.WARNING


class Safety(StrEnum):
    """Whether a fix keeps what the program computes."""

    SAFE = "safe"
    UNSAFE = "unsafe"


class Status(StrEnum):
    """What an execution said of a finding."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of source: 1-based lines and columns in code points, the end exclusive.

    ``path`` is relative to the working directory, with forward slashes. ``cell`` is the notebook
    cell, counted from 1 among cells of all kinds, None where lines are those of the file; ``row``
    is then the line of the file. While a file is analysed, lines are those of its code, which
    ``located`` makes places of the file.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    cell: int | None = None
    row: int | None = None

    @property
    def unit(self) -> str:
        """The text that lines are counted in: a file by its path, or a cell of it."""
        return self.path if self.cell is None else f"{self.path}:cell {self.cell}"


@dataclass(frozen=True, slots=True)
class Step:
    """One of the places that make a finding true, and what happens there."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the text at ``place``; an empty place inserts."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair: its title in the imperative, its edits, and whether behaviour stays as it is."""

    title: str
    safety: Safety
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers of one kind that were measured one after the other: of what, and a number a what."""

    of: str
    per: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of an experiment on the flagged code.

    ``evidence`` says what was observed (confirmed, refuted), ``reason`` why nothing could be said
    (inconclusive); the other is empty. ``seconds`` is wall time, and ``measured`` are numbers that
    the evidence rests on.
    """

    REPAIRED: ClassVar[str] = "; the repaired code does not show it"

    status: Status
    evidence: str = ""
    reason: str = ""
    device: str = "cpu"
    seconds: float = 0.0
    measured: tuple[Series, ...] = ()

    @property
    def proves_fix(self) -> bool:
        """Whether the code was run with its fix as well, and the mistake was gone."""
        return self.status is Status.CONFIRMED and self.evidence.endswith(self.REPAIRED)


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake at a place.

    ``because`` is the chain of places that makes it true, in the order of execution. ``scope`` is
    the dotted name of the enclosing function or class within its file, empty at module level.
    ``fingerprint`` stays the same when lines move and changes when the flagged code does.
    ``set_severity`` is the severity that the settings give it, if they do. ``about`` are facts that
    options of its rule decide by, under their names.
    """

    code: str
    name: str
    level: Level
    message: str
    place: Place
    scope: str = ""
    because: tuple[Step, ...] = ()
    fix: Fix | None = None
    fingerprint: str = ""
    verdict: Verdict | None = None
    set_severity: Severity | None = None
    about: tuple[tuple[str, float | str], ...] = ()

    @property
    def severity(self) -> Severity:
        """How grave it is: as the settings say, else as its level does."""
        return self.set_severity or self.level.severity


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that torchlint could not do: ``path`` is empty where it concerns no file.

    ``fatal`` marks wrong use or a failure of torchlint itself, which end a run with status 2.
    """

    path: str
    message: str
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of a run: ``files`` were found, ``checked`` of them mention torch.

    ``known`` findings were left out since they had been there before.
    """

    files: int = 0
    checked: int = 0
    hidden_pedantic: int = 0
    known: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Report:
    """All that a run found; the findings are in the order of path and place.

    ``warnings`` are sentences that change no exit status. ``texts`` holds the text of the files
    and cells that findings and their steps lie in, by unit, for those who show the code.
    ``enforced`` says what restrained the code that was run. ``files`` are those that were looked
    at, by path, ``fixed`` the findings that are no more, since their fixes were applied, and
    ``ignored`` those for which comments were added. ``read`` are all files whose code went into it.
    """

    findings: tuple[Finding, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    summary: Summary = Summary()
    warnings: tuple[str, ...] = ()
    enforced: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    files: Mapping[str, Path] = field(default_factory=dict, repr=False)
    fixed: tuple[Finding, ...] = ()
    ignored: tuple[Finding, ...] = ()
    read: frozenset[Path] = field(default=frozenset(), repr=False)

    @property
    def exit_status(self) -> int:
        """0 nothing found, 1 findings or unreadable files, 2 wrong use or torchlint failed."""
        failed = any(finding.code == "TL000" for finding in self.findings)
        if failed or any(trouble.fatal for trouble in self.troubles):
            return 2
        return 1 if self.findings or self.troubles else 0
