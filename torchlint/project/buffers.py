"""Buffers: bytes in memory that a function writes and reads again."""

from __future__ import annotations

import re

from torchlint.sources.patterns import Pattern

_READ = Pattern(r"\bload\(\s*(?:f(?:ile)?=)?([^\W\d]\w*)\s*[,)]")
_WRITTEN = Pattern(r"\btorch\.save\([^\n]*,\s*(?:f=)?([^\W\d]\w*)\s*[,)]")
_MADE = Pattern(
    r"\b([^\W\d]\w*)\b[^=\n]*=[ \t]*(?:io\.)?BytesIO\("
    r"|\bBytesIO\([^()\n]*\)[ \t]+as[ \t]+([^\W\d]\w*)"
)
_FROM_BYTES = Pattern(r"\bload\(\s*(?:f(?:ile)?=)?(?:io\.)?BytesIO\(\s*[\w.\[\]'\"]+\s*\)")
_NAMED = Pattern(r"\s*def\s+(\w+)\(")
_REBUILT_BY = r"reduce(?s:.*)\breturn[ \t]*\(?\s*{}\s*,\s*\("
_WHOLE = r"\bload\(\s*(?:f(?:ile)?=)?{}\b[^\n]*\bweights_only[ \t]*=[ \t]*False\b"


def is_own(call: str, function: str) -> bool:
    """Whether a call loads from a buffer in memory, in a function that saves into one itself."""
    read, made = _READ.search(call), _made(function)
    written = set(_WRITTEN.findall(function))
    return read is not None and read[1] in made and not written.isdisjoint(made)


def is_nested(call: str, function: str, file: str) -> bool:
    """Whether a call loads bytes out of a pickle that is being loaded already.

    Such are those of a storage, what an object has put into its state, and what a function is given
    that pickles name for building something again.
    """
    read = _READ.search(call)
    in_memory = read is not None and read[1] in _made(function)
    if not (in_memory or _FROM_BYTES.search(call)):
        return False
    name = _NAMED.match(function)
    rebuilds = name is not None and re.search(_REBUILT_BY.format(name[1]), file) is not None
    return rebuilds or "_load_from_bytes" in function or "def __setstate__(" in function


def is_loaded_whole(call: str, function: str) -> bool:
    """Whether a call saves to a buffer in memory which the same function loads as it is."""
    written = _WRITTEN.search(call)
    if written is None or written[1] not in _made(function):
        return False
    return re.search(_WHOLE.format(written[1]), function) is not None


def _made(function: str) -> set[str]:
    """The names of buffers that a function makes."""
    return {name for names in _MADE.findall(function) for name in names if name}
