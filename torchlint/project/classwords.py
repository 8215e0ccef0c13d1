"""Pseudo-words of methods that do something with the attributes of their object."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

EARLY = "super!"
"""A constructor that makes an attribute of what may be a layer before it calls any other one."""

_CONSTRUCTOR = re.compile(r"def __(?:post_)?init__\(")
_BEGUN = re.compile(r"\bsuper\(\s*\w*(?:,\s*\w+\s*)?\)\s*\.\s*__\w+__\(|\w\.__init__\(")
_LAYER = re.compile(r"\bself\.\w+[ \t]*(?::[^=\n]*)?=[ \t]*(?:[\w.]+\.)?[A-Z]\w*\(|\bself\.\w+\(")


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    if "self." in text and (found := _CONSTRUCTOR.search(text)):
        begun = _BEGUN.search(text, found.end())
        if _LAYER.search(text, found.end(), begun.start() if begun else len(text)):
            yield EARLY
