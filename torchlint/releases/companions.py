"""What goes with which release of torch: torchvision 0.14 with 1.13, Lightning 2.0 since 1.11.

And which release of torch is the last for which Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.version import Version

from torchlint.frozen import replace
from torchlint.releases.ranges import NEWEST

if TYPE_CHECKING:
    from torchlint.releases.ranges import Releases

_WITH_TORCH_2 = 15

_LIGHTNING = {
    "1.3": "1.4",
    "1.4": "1.6",
    "1.5": "1.7",
    "1.6": "1.8",
    "1.8": "1.9",
    "1.9": "1.10",
    "2.0": "1.11",
    "2.1": "1.12",
    "2.2": "1.13",
    "2.3": "2.0",
}
"""The oldest torch that releases of Lightning take, where one takes less than that before it."""

_BEFORE_PYTHON = {
    "3": "1.4",
    "3.6": "1.5.1",
    "3.7": "1.10.2",
    "3.8": "1.13.1",
    "3.9": "2.4.1",
    "3.10": "2.8",
}
"""The newest torch that there is for the Pythons before one."""


def newest_torch(python: Releases | None) -> Version:
    """The newest torch that there is for the newest of these Pythons, or for any."""
    last = (torch for since, torch in _BEFORE_PYTHON.items() if python and not python.reach(since))
    return Version(next(last, str(NEWEST)))


def of_torch(release: str) -> str:
    """The release of torch that one of torchvision came with: 0.14 with 1.13, 0.16 with 2.1."""
    return str(_with_torchvision(Version(release)))


def ranges_of_torch(package: str, releases: Releases) -> Releases:
    """The releases of torch that go with a range of a package's, which may be torch itself."""
    told = _WITH.get(package)
    if told is None:
        return releases
    return replace(releases, oldest=told(releases.oldest), newest=told(releases.newest))


def newest_lightning(releases: Releases) -> Releases | None:
    """The newest Lightning that the newest of these releases of torch can go with.

    None where that may be any.
    """
    taken = [since for since, torch in _LIGHTNING.items() if releases.reach(torch)]
    if len(taken) == len(_LIGHTNING):
        return None
    newest = Version(taken[-1] if taken else "1.2")
    return replace(releases, oldest=newest, newest=newest)


def _with_torchvision(release: Version) -> Version:
    """The same for a version; a bound that is none of torchvision's is an open one."""
    if release.major or not release.minor:
        return release
    rest = ".dev0" if release.is_devrelease else ""
    if release.minor < _WITH_TORCH_2:
        return Version(f"1.{release.minor - 1}{rest}")
    return Version(f"2.{release.minor - _WITH_TORCH_2}{rest}")


def _with_torchaudio(release: Version) -> Version:
    """The same for torchaudio, which counts as torch does, but from 0 before 2.0."""
    if release.major or not release.minor:
        return Version(f"{release.major}.{release.minor}") if release.major else release
    return Version(f"1.{release.minor}{'.dev0' if release.is_devrelease else ''}")


_WITH = {"torchvision": _with_torchvision, "torchaudio": _with_torchaudio}
