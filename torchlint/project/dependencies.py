"""Dependencies: what is said of a file rests on other files too, and on what all files say."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LINK = "link"
"""A name in the file led into another one: its path."""

IMPORTED = "imported"
"""What the file gets by an import: its module, level and attribute, and the answer."""

STARRED = "starred"
"""What a name is by the imports of all names: the name, and the answer."""

SAYS = "says"
"""Whether any file has all of some patterns: what it has to hold, the patterns, and the answer."""

BELOW = "below"
"""What derives from a class of the file: its name, and the answer."""

BUILT = "built"
"""With which numbers the project builds objects of a class of the file: its name, the answer."""

CALLED = "called"
"""Which files mention a private function of the file: its name, the answer."""

RELEASES = "releases"
"""Which releases of a package the project supports: its name, and the answer."""

TEMPLATE = "template"
"""Whether other files are generated from the file: the answer."""

Dependency = tuple[str, ...]


class Dependencies:
    """Of each file what was asked on its behalf, by path; it only ever grows."""

    def __init__(self) -> None:
        self._of: defaultdict[str, set[Dependency]] = defaultdict(set)
        self._new: list[tuple[str, Dependency]] | None = None

    def note(self, path: str, *dependency: str) -> None:
        """Remember what was asked for the sake of a file."""
        known = self._of[path]
        if dependency not in known:
            known.add(dependency)
            if self._new is not None:
                self._new.append((path, dependency))

    def of(self, path: str) -> frozenset[Dependency]:
        """All that was asked for the sake of a file."""
        return frozenset(self._of.get(path, ()))

    def news(self) -> list[tuple[str, Dependency]]:
        """What has come since the last time; nothing at first."""
        news, self._new = self._new, []
        return news or []

    def learn(self, news: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Take over what another process has noted."""
        for path, dependency in news:
            self.note(path, *dependency)
