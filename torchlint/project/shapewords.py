"""Pseudo-words of code that changes the shapes of tensors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAT = "flatten(x)"
"""A region that puts all dimensions into one, and has an object to call layers of."""

ARGMAX = "argmax()=="
"""A region that takes the largest of everything, and compares something for equality."""

_ARGMAX = re.compile(r"\.arg(?:max|min)\(\s*\)|\barg(?:max|min)\((?:[^(),\n]|\([^()\n]*\))+\)")
_EQUAL = ("==", "!=", ".eq(", ".ne(", "torch.eq(")
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
    if "argm" in text and any(sign in text for sign in _EQUAL) and _ARGMAX.search(text):
        yield ARGMAX
