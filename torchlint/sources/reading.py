"""Bytes to text: the encoding that a file declares, and a sentence where it cannot be decoded."""

from __future__ import annotations

import codecs
import os
import stat
from typing import TYPE_CHECKING

from torchlint.findings import Finding, Place, Trouble
from torchlint.frozen import dataclass
from torchlint.sources.formats import LONGEST_CODE, format_of
from torchlint.sources.source import Source
from torchlint.sources.syntax import unreadable

if TYPE_CHECKING:
    from pathlib import Path

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
        longest = format_of(found.path).longest
        refusal = _refusal(os.stat(found.file), longest)
        if refusal:
            return Trouble(found.path, refusal)
        with open(found.file, "rb") as stream:
            return decode(found, stream.read(longest + 1))
    except OSError as error:
        return Trouble(found.path, cannot_read(found.file, error))


def decode(found: Found, data: bytes) -> Source | Finding | Trouble:
    """The source that the bytes spell, or what keeps them from being one."""
    kind = format_of(found.path)
    if len(data) > kind.longest:
        return Trouble(found.path, _too_long(len(data), kind.longest))
    if b"\0" in data:
        return unreadable(_place(found.path, data, data.index(b"\0")), _binary(data))
    try:
        text = data.decode(kind.encoding(data))
    except UnicodeDecodeError as error:
        return _undecodable(found.path, data, error.encoding, error.start)
    except (SyntaxError, LookupError, UnicodeError) as error:
        return _undeclared(found.path, data, error)
    return given(found, text)


def given(found: Found, text: str) -> Source | Finding | Trouble:
    """The source of a text that stands in for what lies in the file, if anything does."""
    kind = format_of(found.path)
    if len(text) > kind.longest:
        return Trouble(found.path, _too_long(len(text), kind.longest))
    source = kind.read(found, text)
    if isinstance(source, Source) and len(source.text) > LONGEST_CODE:
        return Trouble(found.path, _too_long(len(source.text), LONGEST_CODE))
    return source


def again(source: Source, text: str) -> Source | Finding | Trouble:
    """The source of the same file with another text."""
    return given(Found(source.path, source.file, source.reported), text)


def mentions_torch(source: Source) -> bool:
    """Whether the word occurs at all; a file without it can hardly be PyTorch code."""
    return "torch" in source.text


def concerns_torch(source: Source) -> bool:
    """Whether there may be anything to find in it: some code that trains imports no torch.

    It may have the names that it needs of another file, by a star.
    """
    return mentions_torch(source) or any(mark in source.text for mark in _MARKS)


_MARKS = (".backward(", "DataLoader(", "nn.Module")


def cannot_read(file: Path, error: OSError) -> str:
    """What the operating system said of a path, as a sentence."""
    if file.is_symlink() and isinstance(error, FileNotFoundError):
        return f"is a link to {os.readlink(file)}, which does not exist; mend or remove it"
    if file.is_symlink() and "symbolic links" in str(error.strerror):
        return "is a link that leads back to itself; mend or remove it"
    return f"cannot be read: {(error.strerror or str(error)).lower()}"


def _refusal(status: os.stat_result, longest: int) -> str:
    if stat.S_ISDIR(status.st_mode):
        return "is a folder, not a file"
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file; use - to read standard input"
    return _too_long(status.st_size, longest) if status.st_size > longest else ""


def _too_long(size: int, longest: int) -> str:
    return (
        f"is {size / 1e6:.1f} MB long and was left out; torchlint reads files of up to "
        f"{longest / 1e6:.1f} MB"
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
    message = f"the file is not {name} (byte 0x{data[start]:02x} here); save it as UTF-8"
    if not format_of(path).module:
        message += ", or declare its encoding in the first line: # -*- coding: latin-1 -*-"
    return unreadable(_place(path, data, start), message)


def _place(path: str, data: bytes, offset: int) -> Place:
    before = data[:offset].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Place(path, line, column, line, column + 1)
