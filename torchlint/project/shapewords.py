"""Pseudo-words of code that changes the shapes of tensors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAT = "flatten(x)"
"""A region that puts all dimensions into one, and has an object to call layers of."""

_FLAT = re.compile(
    r"(?:\btorch\.|(?<![\w.]))(?:flatten|ravel)"
    r"\((?:[^(),\n]|\([^()\n]*\))+(?:,\s*(?:start_dim=)?0)?\)"
    r"|\.(?:flatten|ravel)\((?:start_dim=)?0?\)"
    r"|\.(?:view|reshape)\(\s*[\[(]?\s*-1\s*,?\s*[\])]?\s*\)"
    r"|\breshape\([\w.]+,\s*[\[(]?-1,?[\])]?\)"
)
_PARTS = ("flatten(", "ravel(", "view(", "reshape(")
_BUILT = re.compile(r"\bFlatten\((?:start_dim=)?0\b")


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    flat = "self." in text and any(part in text for part in _PARTS) and _FLAT.search(text)
    if flat or ("Flatten(" in text and _BUILT.search(text)):
        yield FLAT
