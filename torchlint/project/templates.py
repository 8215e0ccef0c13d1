"""Templates: files that others are generated from, whose classes are whole only over there."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_GENERATED = Pattern(r"\bgenerated\b[^\n.]*?\bfrom\b[ \t`\"']*([\w./-]+\.py)\b")
_HEADER = 2_000
"""How far into a file it may say where it comes from."""


def named(texts: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The files that others, given by path and text, say they are generated from.

    They are beside these.
    """
    return frozenset(path for file, text in texts for path in _sources(file, text))


def _sources(file: str, text: str) -> Iterator[str]:
    if "generated" in text[:_HEADER]:
        for found in _GENERATED.finditer(text, 0, _HEADER):
            yield posixpath.join(posixpath.dirname(file), posixpath.basename(found[1]))
