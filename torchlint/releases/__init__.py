"""Which releases of torch the linted code is to run with.

The setting says so, else a notebook by what it installs, else the nearest folder above a file that
does: by a declared dependency, a lock file, or the metadata of an installed distribution. As
torchvision and torchaudio go with one release of torch each, what is said of one of them holds for
the others. Nobody has a newer torch than the last for the Python that is asked for with it, nor a
newer Lightning than one that the torch goes with.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.releases import declarations
from torchlint.releases.companions import newest_lightning
from torchlint.releases.declarations import PACKAGES
from torchlint.releases.ranges import NEWEST, Releases, parse

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    TorchOf = Callable[[Path], Releases | None]

__all__ = ["NEWEST", "OF_TORCH", "PACKAGES", "Releases", "parse", "supported"]

OF_TORCH = {
    "torch": ("torch", "torchvision", "torchaudio"),
    "torchvision": ("torchvision", "torch", "torchaudio"),
}
"""The packages whose releases are torch's, and who speaks for each, the most telling first."""

# Who has both has the older name for what imports that.
_SPEAKERS = {**OF_TORCH, "pytorch_lightning": ("pytorch_lightning", "lightning")}


def supported(file: Path, setting: Releases | None = None, package: str = "torch") -> Releases:
    """The releases that a file's project supports; the newest known one where nobody says."""
    found = setting or _of_file(file, package)
    if package != "pytorch_lightning":
        return found
    possible = newest_lightning(_of_file(file, "torch"))
    if possible is None:
        return found
    if not found.said_by:
        return possible
    if found.oldest <= possible.newest < found.newest:
        return replace(found, newest=possible.newest)
    return found


def forget() -> None:
    """Read the files anew from now on."""
    declarations.forget()
    _of_folder.cache_clear()


def _of_file(file: Path, package: str) -> Releases:
    own = _told(package, lambda each: declarations.installed(file, each))
    return own or _of_folder(file.absolute().parent, package)


@cache
def _of_folder(folder: Path, package: str) -> Releases:
    found = _told(package, lambda each: declarations.declared(folder, each))
    if found is not None:
        return found
    # A repository is a project of its own, whatever lies around it.
    if folder.parent == folder or (folder / ".git").exists():
        return Releases()
    return _of_folder(folder.parent, package)


def _told(package: str, said: Callable[[str], Releases | None]) -> Releases | None:
    """What is said of a package by those that speak for it, if anything is."""
    for each in _SPEAKERS.get(package, (package,)):
        found = said(each)
        # Who asks for the oldest torchaudio that will do means to say nothing of torch.
        if found is not None and (each != "torchaudio" or found.newest < NEWEST):
            return found
    return None
