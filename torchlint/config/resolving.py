"""Settings from all the places that speak of them, the last word to the closest."""

from __future__ import annotations

import os
from dataclasses import field
from typing import TYPE_CHECKING, Any

from torchlint.config.files import Layer, Value, closest, inline, layers, of_user
from torchlint.config.options import CACHE, OPTIONS, SELECTION, Joins
from torchlint.frozen import dataclass
from torchlint.settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Resolved:
    """Settings, where each value comes from by its key, and the file that they are from."""

    settings: Settings
    origins: Mapping[str, tuple[str, ...]]
    file: str | None = None


@dataclass(slots=True)
class Configuration:
    """The settings of every file: those of the configuration that is closest to it, or the user's.

    ``given`` is what the command line says, which has the last word, and before it ``inline``.
    ``file`` stands in for whatever lies beside the files; ``isolated`` leaves that out.
    """

    given: Layer = field(default_factory=dict)
    inline: tuple[Layer, ...] = ()
    file: str | None = None
    isolated: bool = False
    _by_folder: dict[str, Resolved] = field(default_factory=dict)
    _by_file: dict[str | None, Resolved] = field(default_factory=dict)
    _of: dict[Path, Settings] = field(default_factory=dict)

    @classmethod
    def of_words(cls, words: Iterable[str], given: Layer, isolated: bool = False) -> Configuration:
        """A configuration as ``--config`` has it: files, and keys with values."""
        files, pairs = [], []
        for word in words:
            if os.path.isfile(word):
                files.append(os.path.abspath(word))
            elif "=" in word:
                pairs.append(inline(word))
            else:
                said = f"--config {word}: there is no such file, and KEY=VALUE has an equals sign."
                raise SettingsError(said)
        if len(files) > 1 or (files and isolated):
            other = "--isolated" if isolated else f"--config {files[0]}"
            raise SettingsError(f"--config {files[-1]} and {other} exclude each other.")
        return cls(given, tuple(pairs), files[0] if files else None, isolated)

    def of(self, file: Path) -> Settings:
        """What holds for a file."""
        known = self._of.get(file)
        if known is None:
            folder = os.path.dirname(os.path.abspath(file))
            known = self._of[file] = self.of_folder(folder).of(file)
        return known

    def of_folder(self, folder: str) -> Settings:
        """What holds in a folder."""
        return self.resolved(folder).settings

    def resolved(self, folder: str) -> Resolved:
        """What holds in a folder, and why."""
        known = self._by_folder.get(folder)
        if known is None:
            file = self.file or (None if self.isolated else closest(folder) or of_user())
            if file not in self._by_file:
                self._by_file[file] = self._joined(file)
            known = self._by_folder[folder] = self._by_file[file]
        return known

    def _joined(self, file: str | None) -> Resolved:
        usual: Layer = {"cache-dir": Value(os.path.abspath(CACHE), DEFAULT)}
        said = [usual, *(layers(file) if file else ()), *self.inline, self.given]
        return joined(said, file)


def joined(said: Iterable[Layer], file: str | None = None) -> Resolved:
    """The settings that come of several layers, the first of which has the least to say."""
    values: dict[str, Any] = {}
    origins: dict[str, tuple[str, ...]] = {}
    for layer in said:
        if "select" in layer:
            for key in SELECTION:
                values.pop(key, None)
                origins.pop(key, None)
        for key, given in layer.items():
            if OPTIONS[key].joins is Joins.ADDED and key in values:
                values[key] += given.value
                origins[key] += (given.origin,)
            else:
                values[key], origins[key] = given.value, (given.origin,)
    settings = Settings(**{OPTIONS[key].field: value for key, value in values.items()})
    return Resolved(settings, {key: origins.get(key, (DEFAULT,)) for key in OPTIONS}, file)
