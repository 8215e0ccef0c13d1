"""Buffers: bytes in memory that a function writes and reads again."""

from __future__ import annotations

import re

_READ = re.compile(r"\bload\(\s*([^\W\d]\w*)\s*[,)]")
_WRITTEN = re.compile(r"\b(?:torch|th)\.save\([^\n]*,\s*([^\W\d]\w*)\s*[,)]")
_MADE = re.compile(r"\b([^\W\d]\w*)\b[^=\n]*=[ \t]*(?:io\.)?BytesIO\(")


def is_own(call: str, function: str) -> bool:
    """Whether a call loads from a buffer in memory, in a function that saves into one itself."""
    read, made = _READ.search(call), set(_MADE.findall(function))
    written = set(_WRITTEN.findall(function))
    return read is not None and read[1] in made and not written.isdisjoint(made)
