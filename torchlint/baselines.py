"""Baselines: files that list what was found at some time, so that only what is new is reported."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from dataclasses import asdict, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchlint.findings import Trouble
from torchlint.frozen import dataclass, replace
from torchlint.known import Identity, Known, identity
from torchlint.outputs import not_written, put
from torchlint.registry import rules
from torchlint.reports import count
from torchlint.selection import is_enabled
from torchlint.settings import SettingsError, Stale
from torchlint.sources.discovery import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from torchlint.findings import Finding
    from torchlint.settings import SettingsOf

VERSION = 1
_NAMED = 3
USUAL = "torchlint-baseline.json"
"""What a baseline is called, unless it is called otherwise."""


@dataclass(slots=True)
class Baseline:
    """A baseline: the paths in it are relative to its folder.

    ``is_new`` says that there is no file yet, ``is_unnamed`` that no settings name it, and
    ``on_stale`` what to say of what it lists in vain.
    """

    file: str
    known: Known
    is_new: bool = False
    is_unnamed: bool = False
    on_stale: Stale = Stale.WARN

    @property
    def name(self) -> str:
        """The file as people are told of it."""
        return shown(Path(self.file))

    def path(self, file: Path) -> str:
        """A file as it is spelled in here."""
        try:
            path = os.path.relpath(file, os.path.dirname(self.file))
        except ValueError:  # another drive, on Windows
            path = os.path.abspath(file)
        return path.replace(os.sep, "/")

    def text(self, counts: Counter[Identity]) -> str:
        """What the file should hold: a line for each of these, in order."""
        listed = [json.dumps(asdict(each) | {"count": counts[each]}) for each in sorted(counts)]
        lines = ",\n    ".join(listed)
        findings = f"[\n    {lines}\n  ]" if listed else "[]"
        return f'{{\n  "version": {VERSION},\n  "findings": {findings}\n}}\n'


@dataclass(slots=True)
class Baselines:
    """The baselines that settings name, and what a run makes of them.

    Those that are ``written`` in the end may list something in vain until then. With ``usual``,
    that of the files whose settings name none, they need not be there before. ``analysed`` are the
    absolute paths of what could be looked at.
    """

    settings: SettingsOf
    written: bool = False
    usual: str = ""
    analysed: set[str] = field(default_factory=set)
    _by_file: dict[str, Baseline] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Baseline]:
        return iter(self._by_file.values())

    def of(self, file: Path) -> Baseline | None:
        """That of a file; SettingsError if it cannot be read."""
        settings = self.settings.of(file)
        name = settings.baseline or self.usual
        if name and name not in self._by_file:
            baseline = self._by_file[name] = _read(name, may_be_new=bool(self.usual))
            baseline.on_stale = settings.baseline_stale
            baseline.is_unnamed = not settings.baseline
        return self._by_file.get(name)

    def take(self, found: Located) -> list[bool]:
        """Which of the findings are listed."""
        known = [False] * len(found.findings)
        grouped = self._grouped(found)
        for baseline in self:
            indices = grouped[baseline.file]
            flags = baseline.known.take(list(indices.values()))
            for index, flag in zip(indices, flags, strict=True):
                known[index] = flag
        return known

    def stale(self) -> tuple[list[str], list[Trouble]]:
        """What to say of what is listed in vain: in warnings, or in troubles where it fails."""
        warnings, troubles = [], []
        for baseline in () if self.written else self:
            stale = self._stale(baseline)
            if stale and baseline.on_stale is Stale.ERROR:
                troubles.append(Trouble(baseline.name, _said(stale)))
            elif stale and baseline.on_stale is Stale.WARN:
                warnings.append(f"{baseline.name} {_said(stale)}")
        return warnings, troubles

    def write(self, found: Located) -> tuple[tuple[Written, ...], list[Trouble]]:
        """List these findings too, and no longer what is listed in vain."""
        written, troubles = [], []
        grouped = self._grouped(found)
        for baseline in self:
            listed, stale = baseline.known, self._stale(baseline)
            new = Counter(grouped[baseline.file].values())
            counts = listed.met + (Counter(listed.remaining()) - stale) + new
            try:
                if baseline.is_new or counts != listed.counts:
                    put(Path(baseline.file), baseline.text(counts))
                listing = Written(baseline.name, counts.total(), new.total(), stale.total())
                written.append(replace(listing, is_unnamed=baseline.is_unnamed))
            except OSError as error:
                troubles.append(Trouble(baseline.name, not_written(error), fatal=True))
        return tuple(written), troubles

    def _stale(self, baseline: Baseline) -> Counter[Identity]:
        """What would have been found if it were still there."""
        listed = baseline.known.remaining()
        return Counter(each for each in listed if self._is_judged(baseline, each))

    def _grouped(self, found: Located) -> dict[str, dict[int, Identity]]:
        """What the findings are in their baselines, by the baseline and their own index."""
        grouped: dict[str, dict[int, Identity]] = defaultdict(dict)
        for index, finding in enumerate(found.findings):
            file = found.files[finding.place.path]
            baseline = self.of(file)
            if baseline is not None:
                each = replace(identity(finding, found.lines), path=baseline.path(file))
                grouped[baseline.file][index] = each
        return grouped

    def _is_judged(self, baseline: Baseline, listed: Identity) -> bool:
        """Whether the run would have found it: its file was analysed, or is gone, its rule ran."""
        file, rule = baseline.known.lies(listed.path), rules().get(listed.code)
        if file not in self.analysed and os.path.lexists(file):
            return False
        return rule is None or is_enabled(rule, self.settings.of(Path(file)))


@dataclass(frozen=True, slots=True)
class Located:
    """Findings, and the files with their lines that they are in, by path."""

    findings: Sequence[Finding]
    files: Mapping[str, Path]
    lines: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Written:
    """What a baseline lists now, and how much of it is new, and what is no longer."""

    name: str
    listed: int
    new: int
    gone: int
    is_unnamed: bool = False


def _said(stale: Counter[Identity]) -> str:
    first = [f"{each.code} in {each.path}" for each in sorted(stale)]
    named = ", ".join(first[:_NAMED]) + (", …" if len(first) > _NAMED else "")
    many = stale.total() > 1
    are, them = ("are", "them") if many else ("is", "it")
    listed = count(stale.total(), "finding")
    return f"lists {listed} that {are} no longer there ({named}); --prune-baseline takes {them} out"


def _read(file: str, *, may_be_new: bool) -> Baseline:
    name, folder = shown(Path(file)), os.path.dirname(file)
    try:
        with open(file, encoding="utf-8") as stream:
            return Baseline(file, Known(_counts(json.load(stream)), folder))
    except FileNotFoundError:
        if may_be_new:
            return Baseline(file, Known(Counter(), folder), is_new=True)
        wrong = f"there is no baseline {name}; --write-baseline makes one."
    except OSError as error:
        wrong = f"{name} cannot be read: {(error.strerror or str(error)).lower()}."
    except _OtherVersionError as error:
        wrong = f"{name} is of version {error}, and this torchlint reads {VERSION}; {_ADVICE}."
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        wrong = f"{name}:{error.lineno}: a baseline is JSON, and this is not ({reason})."
    except (ValueError, TypeError, KeyError, RecursionError):
        wrong = f"{name} is no baseline of torchlint; {_ADVICE}."
    raise SettingsError(wrong)


def _counts(data: Any) -> Counter[Identity]:
    if data["version"] != VERSION:
        raise _OtherVersionError(data["version"])
    counts: Counter[Identity] = Counter()
    for each in data["findings"]:
        parts = [each[name] for name in Identity.__slots__]
        if not all(isinstance(part, str) for part in parts) or each["count"] < 1:
            raise ValueError
        counts[Identity(*parts)] += int(each["count"])
    return counts


class _OtherVersionError(ValueError):
    """The version of a baseline that is not the one that is read."""


_ADVICE = "remove it, and --write-baseline makes a new one"
