"""One analysis of one open file, in a thread, which ends early where it is no longer wanted."""

from __future__ import annotations

import os
from contextlib import chdir
from dataclasses import field
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from torchlint import failures
from torchlint.api import look
from torchlint.applying import rounds
from torchlint.config.resolving import Configuration
from torchlint.findings import Safety
from torchlint.frozen import dataclass, replace
from torchlint.server.kept import Kept
from torchlint.settings import SettingsError
from torchlint.sources.discovery import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.config.files import Layer
    from torchlint.findings import Finding, Fix, Trouble
    from torchlint.located import Look

_numbers = count(1)


class CancelledError(BaseException):
    """The analysis is no longer wanted; no ``except Exception`` is to hold that up."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a file as it was: its findings, and the texts of the files they speak of.

    ``texts`` are by absolute paths, as ``read`` is, which are all files that have been looked at.
    ``root`` is the folder that the paths of places are relative to, ``troubles`` are sentences.
    """

    root: str = ""
    findings: tuple[Finding, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    read: frozenset[str] = frozenset()
    troubles: tuple[str, ...] = ()
    number: int = field(default_factory=partial(next, _numbers))

    def file(self, path: str) -> str:
        """The absolute path of a place's path."""
        return os.path.normpath(os.path.join(self.root, path))


@dataclass(frozen=True, slots=True)
class Job:
    """A file to analyse: its path, and the texts that editors have of it and of others, by path.

    ``given`` is what the editor says of the settings, ``kept`` what earlier jobs have found out.
    """

    path: str
    root: str
    texts: Mapping[str, str]
    given: Layer
    kept: Kept = field(default_factory=Kept)
    cancelled: Event = field(default_factory=Event)

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.texts[self.path]

    def run(self) -> Analysis:
        """Lint the file; whatever goes wrong is a sentence."""
        try:
            with chdir(self.root):
                return self._analysis()
        except SettingsError as error:
            return Analysis(self.root, troubles=error.sentences)
        except Exception as error:
            return Analysis(self.root, troubles=(failures.sentence(error),))

    def fixed(self) -> str:
        """The text of the file with all its safe fixes applied."""
        with chdir(self.root):
            if self._is_excluded():
                return self.text
            made = rounds.fix(self._look, lambda each: bool(each.fix and _is_safe(each.fix)))
            return made.texts.get(shown(Path(self.path)), self.text)

    def _analysis(self) -> Analysis:
        if self._is_excluded():
            return Analysis(self.root)
        report = self._look({}).located()
        texts = {os.path.join(self.root, path): text for path, text in report.texts.items()}
        return Analysis(
            root=self.root,
            findings=report.findings,
            texts={os.path.normpath(path): text for path, text in texts.items()},
            read=frozenset(map(os.path.abspath, report.read)),
            troubles=tuple(map(_said, report.troubles)),
        )

    def _look(self, texts: Mapping[str, str]) -> Look:
        known = {shown(Path(path)): text for path, text in self.texts.items()}
        path = os.path.relpath(self.path)
        return look(
            [path],
            self._settings(),
            texts={**known, **texts},
            progress=self._heed,
            resources=self.kept.resources,
        )

    def _settings(self) -> Configuration:
        return Configuration(given=self.given)

    def _is_excluded(self) -> bool:
        left_out = self._settings().of_folder(os.path.dirname(self.path)).filter
        return replace(left_out, force=True).excludes_named(self.path)

    def _heed(self, stage: str, done: int, total: int) -> None:
        if self.cancelled.is_set():
            raise CancelledError


def _is_safe(fix: Fix) -> bool:
    return fix.safety is Safety.SAFE


def _said(trouble: Trouble) -> str:
    return f"{trouble.path} {trouble.message}" if trouble.path else trouble.message
