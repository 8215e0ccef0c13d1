"""Bytes to text: the encoding that a file declares, and a sentence where it cannot be decoded."""

from __future__ import annotations

import codecs
import io
import os
import stat
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.findings import Finding, Place, Trouble
from torchlint.sources.source import Source
from torchlint.sources.syntax import unreadable

if TYPE_CHECKING:
    from pathlib import Path

# The longest module in torch's own distribution has 1.4 MB. At 1.5 MB the standard parser takes a
# third of a second and 100 MB, libcst 4.5 seconds and 360 MB; longer files are generated data.
LONGEST = 1_500_000

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read: ``path`` as reports show it, ``file`` where it lies."""

    path: str
    file: Path
    reported: bool = True


def read(found: Found) -> Source | Finding | Trouble:
    """The file's source, or what keeps it from being one."""
    try:
        status = os.stat(found.file)
        refusal = _refusal(status)
        if refusal:
            return Trouble(found.path, refusal)
        with open(found.file, "rb") as stream:
            return decode(found, stream.read(LONGEST + 1))
    except OSError as error:
        return Trouble(found.path, cannot_read(found.file, error))


def decode(found: Found, data: bytes) -> Source | Finding | Trouble:
    """The source that the bytes spell, or what keeps them from being one."""
    if len(data) > LONGEST:
        return Trouble(found.path, _too_long(len(data)))
    if b"\0" in data:
        return unreadable(_place(found.path, data, data.index(b"\0")), _binary(data))
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return Source(found.path, found.file, data.decode(encoding), found.reported)
    except UnicodeDecodeError as error:
        return _undecodable(found.path, data, error.encoding, error.start)
    except (SyntaxError, LookupError, UnicodeError) as error:
        return _undeclared(found.path, data, error)


def given(found: Found, text: str) -> Source | Trouble:
    """The source of a text that stands in for what lies in the file, if anything does."""
    if len(text) > LONGEST:
        return Trouble(found.path, _too_long(len(text)))
    return Source(found.path, found.file, text, found.reported)


def mentions_torch(source: Source) -> bool:
    """Whether the word occurs at all; a file without it can hardly be PyTorch code."""
    return "torch" in source.text


def concerns_torch(source: Source) -> bool:
    """Whether there may be anything to find in it: some code that trains imports no torch."""
    return mentions_torch(source) or ".backward(" in source.text


def cannot_read(file: Path, error: OSError) -> str:
    """What the operating system said of a path, as a sentence."""
    if file.is_symlink() and isinstance(error, FileNotFoundError):
        return f"is a link to {os.readlink(file)}, which does not exist; mend or remove it"
    if file.is_symlink() and "symbolic links" in str(error.strerror):
        return "is a link that leads back to itself; mend or remove it"
    return f"cannot be read: {(error.strerror or str(error)).lower()}"


def _refusal(status: os.stat_result) -> str:
    if stat.S_ISDIR(status.st_mode):
        return "is a folder, not a file"
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file; use - to read standard input"
    return _too_long(status.st_size) if status.st_size > LONGEST else ""


def _too_long(size: int) -> str:
    return (
        f"is {size / 1e6:.1f} MB long and was left out; torchlint reads files of up to "
        f"{LONGEST / 1e6:.1f} MB"
    )


def _binary(data: bytes) -> str:
    if data.startswith(_UTF_16):
        return "the file is encoded as UTF-16, which Python does not read; save it as UTF-8"
    return "this is not a text file: it contains a zero byte"


def _undeclared(path: str, data: bytes, error: Exception) -> Finding:
    """A first line that declares no encoding Python knows, or text before it that is not UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        if "unknown encoding" not in str(error):
            return _undecodable(path, data, "utf-8", wrong.start)
    message = f"the encoding that the file declares cannot be used: {error}"
    return unreadable(Place(path, 1, 1, 1, 1), message)


def _undecodable(path: str, data: bytes, encoding: str, start: int) -> Finding:
    name = "UTF-8" if encoding.lower().startswith("utf") else encoding
    message = (
        f"the file is not {name} (byte 0x{data[start]:02x} here); save it as UTF-8, "
        "or declare its encoding in the first line: # -*- coding: latin-1 -*-"
    )
    return unreadable(_place(path, data, start), message)


def _place(path: str, data: bytes, offset: int) -> Place:
    before = data[:offset].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Place(path, line, column, line, column + 1)
