"""Pseudo-words of what is done with datasets and loaders."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.skimming import lines_with
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

SET_LOADER = "DataLoader(sampler=)"
"""The pseudo-word of a region that builds a loader with an argument which excludes others."""

_SET_LOADER = Pattern(
    r"\b(?:sampler|persistent_workers|prefetch_factor|multiprocessing_context)\s*=(?!=)"
    r"|\bbatch_sampler\s*=|\bbatch_size\s*=\s*None|\bIterableDataset\b"
)

ITERATOR = "=iter()"
"""The pseudo-word of a region that gives a name to what can be iterated once."""

_LISTED = r"[\[{][^\[\]{}]*\bfor\b[^\[\]{}]*[\]}](?!\s*for\b)"
"""A list, or another collection, in parentheses that mean nothing."""

_ITERATOR = Pattern(
    r"^[ \t]*[\w.]+[ \t]*=[ \t]*"
    r"(?:(?:iter|zip|enumerate)\("
    rf"|\(\s*+(?![rbfu]{{0,2}}['\"]|{_LISTED})[^()=]*\bfor\b)",
    re.MULTILINE,
)

FIRST = "next(iter())"
"""The pseudo-word of a region that asks what it has just begun for its first item."""

_FIRST = Pattern(
    # Of parameters and dicts there is but one to begin with.
    r"\bnext\(\s*iter\((?![\w.\[\]]*\.(?:(?:named_)?(?:parameters|buffers|modules|children)"
    r"|values|keys|items)\()"
)

OLD_NEXT = ".next()"
"""The pseudo-word of a region that asks an iterator for its next item by a method."""


_BEGINNINGS = ("iter(", "zip(", "enumerate(", "= (", "=(")


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    if "DataLoader(" in text and _SET_LOADER.search(text):
        yield SET_LOADER
    if " for " in text and _names_iterator(text):
        yield ITERATOR
    if ".next()" in text:
        yield OLD_NEXT
    if "iter(" in text and _FIRST.search(text):
        yield FIRST


def _names_iterator(text: str) -> bool:
    return any(_ITERATOR.match(text, start) for start, _ in lines_with(text, _BEGINNINGS))
