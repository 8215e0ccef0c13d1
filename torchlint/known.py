"""Findings that were there before: known by their code, wherever its lines are now."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.fingerprints import flagged
from torchlint.frozen import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from torchlint.findings import Finding

_DIGITS = 16


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """What a finding keeps when lines move: ``digest`` is of the flagged code without blanks."""

    path: str
    code: str
    scope: str
    digest: str


def identity(finding: Finding, lines: Mapping[str, Sequence[str]]) -> Identity:
    """That of a finding; ``lines`` are the lines of each file by its path."""
    code = flagged(finding, lines).encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(code).hexdigest()[:_DIGITS]
    return Identity(finding.place.path, finding.code, finding.scope, digest)


@dataclass(slots=True)
class Known:
    """How often each was there before, and, once findings were held against it, what is left.

    The paths are relative to ``folder``. Where there is no such file any more, what was known of
    it is looked for in others, since it may have another name. ``met`` are the findings that were
    known, as they are now.
    """

    counts: Counter[Identity]
    folder: str
    left: Counter[Identity] = field(default_factory=Counter)
    met: Counter[Identity] = field(default_factory=Counter)

    def take(self, found: Sequence[Identity]) -> list[bool]:
        """Which of the findings were there before; of equal ones, the first."""
        self.left = Counter(self.counts)
        known = [self._take(each, each) for each in found]
        moved: dict[Identity, list[Identity]] = {}
        for old in sorted(self.left.elements()):
            if not os.path.lexists(self.lies(old.path)):
                moved.setdefault(replace(old, path=""), []).append(old)
        for index, each in enumerate(found):
            others = moved.get(replace(each, path=""))
            if not known[index] and others:
                known[index] = self._take(others.pop(0), each)
        return known

    def lies(self, path: str) -> str:
        """Where the file lies, or has lain."""
        return os.path.normpath(os.path.join(self.folder, path))

    def _take(self, old: Identity, new: Identity) -> bool:
        if not self.left[old]:
            return False
        self.left[old] -= 1
        self.met[new] += 1
        return True

    def remaining(self) -> Iterable[Identity]:
        """What was known and has not been met, as often as it was."""
        return self.left.elements()
