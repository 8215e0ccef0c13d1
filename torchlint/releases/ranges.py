"""Ranges of releases, as version specifiers give them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from packaging.specifiers import Specifier

NEWEST = Version("2.13")
"""The newest release of torch that the tables know."""

_A_YEAR_BEFORE = Version("2.8")
_OLDEST = Version("0")
_LOCAL = re.compile(r"(?<=\d)\+[\w.]+")
"""What a build adds to its release: ``1.12.1+cu116``, which no range may say and many do."""

_CARET = re.compile(r"([\^~])(?!=)\s*(\d+)(?:\.(\d+))?(\S*)")


@dataclass(frozen=True, slots=True)
class Releases:
    """Releases of torch from ``oldest`` to ``newest``; without bounds, the newest known one.

    ``said_by`` names the file that says so.
    """

    oldest: Version = NEWEST
    newest: Version = NEWEST
    said_by: str = ""

    def reach_below(self, release: str) -> bool:
        """Whether a release before this one is among them."""
        return self.oldest < Version(release)

    def all_have(self, release: str) -> bool:
        """Whether what came with a release is in all of them.

        Where nobody says, a project is taken to support those of a year, too.
        """
        return (self.oldest if self.said_by else _A_YEAR_BEFORE) >= Version(release)

    def reach(self, release: str) -> bool:
        """Whether this release, or a later one, is among them."""
        return self.newest >= Version(release)


def parse(text: str, said_by: str = "", newest: Version = NEWEST) -> Releases:
    """The releases that ``2.1``, ``>=2.0,<2.6`` or ``^2.1`` stands for; ValueError if none.

    What is open above goes up to the ``newest``.
    """
    text = _LOCAL.sub("", text.strip())
    try:
        if text[:1].isdigit() and "," not in text and "*" not in text:
            only = Version(text)
            return Releases(only, only, said_by)
        specifiers = SpecifierSet(_CARET.sub(_spelled_out, text))
    except (InvalidSpecifier, InvalidVersion) as error:
        raise ValueError(f"{text!r} is no version or range of versions") from error
    return Releases(*_bounds(specifiers, newest), said_by)


def together(ranges: Iterable[Releases]) -> Releases | None:
    """The range that holds all of several; None for none."""
    every = list(ranges)
    if not every:
        return None
    oldest = min(releases.oldest for releases in every)
    newest = max(releases.newest for releases in every)
    return Releases(oldest, newest, every[0].said_by)


def _spelled_out(caret: re.Match[str]) -> str:
    """Poetry's ``^2.1`` and ``~2.1``, as other tools write them."""
    sign, major, minor, rest = caret.groups()
    version = f"{major}.{minor or 0}{rest}"
    if sign == "^":
        return f">={version},<{int(major) + 1}"
    return f">={version},<{major}.{int(minor or 0) + 1}"


def _bounds(specifiers: SpecifierSet, newest: Version) -> tuple[Version, Version]:
    """The oldest and the newest release; a range that is open below goes down to nothing."""
    lower, upper = [_OLDEST], [newest]
    for specifier in specifiers:
        version = _version(specifier)
        if specifier.operator in {">=", ">", "==", "~=", "==="}:
            lower.append(version)
        if specifier.operator == "~=":
            upper.append(_before(_next(version.release[:-1])))
        elif specifier.operator == "<":
            upper.append(_before(version))
        elif specifier.operator in {"<=", "==", "==="}:
            every = specifier.version.endswith(".*")
            upper.append(_before(_next(version.release)) if every else version)
    oldest = max(lower)
    return (oldest if len(lower) > 1 else min(upper)), max(oldest, min(upper))


def _version(specifier: Specifier) -> Version:
    return Version(specifier.version.removesuffix(".*"))


def _next(release: tuple[int, ...]) -> Version:
    """What comes after all that begins with these numbers: 2.4 after those of 2.3."""
    return Version(".".join(map(str, (*release[:-1], release[-1] + 1))))


def _before(version: Version) -> Version:
    """A release before this one: the last minor one, as far as can be told."""
    return Version(f"{version.base_version}.dev0")
