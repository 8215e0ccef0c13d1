"""A changed text into its file: whole or not at all, and otherwise as the file was."""

from __future__ import annotations

import difflib
import io
import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.findings import Trouble
from torchlint.frozen import dataclass
from torchlint.sources.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_CHANGED = "was changed while torchlint ran, and is left as it is; run it again"


class NotWrittenError(Exception):
    """Why a file was left as it was, as the end of a sentence that begins with its path."""


@dataclass(slots=True)
class Files:
    """Where the files lie, by path: ``given`` are the bytes of those that lie nowhere.

    ``troubles`` are the files that were left as they were, and why.
    """

    files: Mapping[str, Path]
    given: Mapping[str, bytes]
    write: bool
    troubles: list[Trouble] = field(default_factory=list)

    def changed(self, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Patch]:
        """The patches that make the one the other, written where that is wanted and can be."""
        for path, text in sorted(after.items()):
            if text == before[path]:
                continue
            try:
                if path in self.given:
                    yield patch(path, self.given[path], before[path], text)
                else:
                    made = patched(path, self.files[path], before[path], text)
                    if self.write:
                        write(self.files[path], made)
                    yield made
            except NotWrittenError as error:
                self.troubles.append(Trouble(path, str(error)))


@dataclass(frozen=True, slots=True)
class Patch:
    """The bytes of a file as they were and as they are to be; ``path`` is that of reports."""

    path: str
    before: bytes
    after: bytes

    def diff(self) -> Iterator[bytes]:
        """The lines of a unified diff, as ``patch -p0`` reads it."""
        name = self.path.encode("utf-8", "surrogateescape")
        # A lone carriage return ends no line here: that is how patch counts them.
        before, after = (io.BytesIO(data).readlines() for data in (self.before, self.after))
        for line in difflib.diff_bytes(difflib.unified_diff, before, after, name, name):
            yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"


def patch(path: str, data: bytes, before: str, after: str) -> Patch:
    """What it takes to put another text into these bytes, in the encoding that they are in."""
    try:
        encoding = format_of(path).encoding(data)
        known = data.decode(encoding)
    except (SyntaxError, UnicodeError) as error:
        raise NotWrittenError(_CHANGED) from error
    if known != before:
        raise NotWrittenError(_CHANGED)
    try:
        exact = before.encode(encoding) == data
        made = after.encode(encoding)
    except UnicodeError:
        exact = False
    if not exact:
        raise NotWrittenError(f"cannot be written as {encoding} without other changes to it")
    return Patch(path, data, made)


def patched(path: str, file: Path, before: str, after: str) -> Patch:
    """What it takes to put another text into a file."""
    try:
        return patch(path, file.read_bytes(), before, after)
    except OSError as error:
        raise NotWrittenError(_cannot(error)) from error


def write(file: Path, patch: Patch) -> None:
    """Replace the file that a path leads to, if it is still as it was, in one step.

    An error, a full disk or an interruption leaves the file as it was.
    """
    target = Path(os.path.realpath(file))
    try:
        status = target.stat()
        if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
            raise NotWrittenError("is read-only, and is as it was")
        _replace(target, status, patch)
    except OSError as error:
        raise NotWrittenError(_cannot(error)) from error


def _replace(target: Path, status: os.stat_result, patch: Patch) -> None:
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix="~")
    try:
        with open(handle, "wb") as stream:
            stream.write(patch.after)
            stream.flush()
            os.fsync(stream.fileno())
        _like(temporary, status)
        if target.read_bytes() != patch.before:
            raise NotWrittenError(_CHANGED)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _like(temporary: str, status: os.stat_result) -> None:
    """Give the new file the owner, if that is allowed, and the mode of the old one."""
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(temporary, status.st_uid, status.st_gid)
    os.chmod(temporary, stat.S_IMODE(status.st_mode))


def _cannot(error: OSError) -> str:
    reason = (error.strerror or str(error)).lower()
    return f"cannot be written ({reason}), and is as it was"
