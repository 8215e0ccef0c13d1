"""The store: a table of bytes by key in one file, shared by runs that go on at once.

It is a convenience: where it is broken it is made anew, and where it is locked or cannot be written
it is done without.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from torchlint.cache.identity import identity

if TYPE_CHECKING:
    from pathlib import Path

_TAG = """\
Signature: 8a477f597d28d172789f06886806bc55
# This folder was made by torchlint, and may be deleted. See https://bford.info/cachedir/.
"""
_BESIDE = {".gitignore": "*\n", "CACHEDIR.TAG": _TAG}
_PREFIX = "torchlint-"
_DAYS = 30
"""Entries that no run has asked for in so many days are deleted."""

_PATIENCE = 2.0
"""Seconds to wait for another run that is writing."""

_TABLE = """\
CREATE TABLE IF NOT EXISTS entries
(kind TEXT, key TEXT, data BLOB, used INTEGER, PRIMARY KEY (kind, key)) WITHOUT ROWID
"""


class Store:
    """Bytes by kind and key; what is put is written when the store is saved, all or nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / f"{_PREFIX}{identity()[:16]}.sqlite"
        self._new: dict[tuple[str, str], bytes] = {}  # compressed, as there is a lot of it
        self._asked: set[tuple[str, str]] = set()
        self._today = int(time.time() // 86_400)
        self._base: sqlite3.Connection | None = None
        self._open()

    def get(self, kind: str, key: str) -> bytes | None:
        """What was put there, by this run or an earlier one."""
        fresh = self._new.get((kind, key))
        if fresh is not None:
            return zlib.decompress(fresh)
        if self._base is None:
            return None
        try:
            query = "SELECT data FROM entries WHERE kind = ? AND key = ?"
            found = self._base.execute(query, (kind, key)).fetchone()
            data = zlib.decompress(found[0]) if found is not None else None
        except (sqlite3.Error, zlib.error, TypeError) as error:
            self._done_without(error)
            return None
        if data is not None:
            self._asked.add((kind, key))
        return data

    def has(self, kind: str, key: str) -> bool:
        """Whether anything was put there."""
        if (kind, key) in self._new:
            return True
        if self._base is None:
            return False
        try:
            query = "SELECT 1 FROM entries WHERE kind = ? AND key = ?"
            return self._base.execute(query, (kind, key)).fetchone() is not None
        except sqlite3.Error as error:
            self._done_without(error)
            return False

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Keep this for later runs."""
        self._new[kind, key] = zlib.compress(data, 1)

    def save(self) -> None:
        """Write what was put, and forget what nobody has asked for in a long time."""
        if self._base is None:
            return
        rows = ((*key, data, self._today) for key, data in self._new.items())
        asked = [(self._today, *key, self._today) for key in self._asked]
        update = "UPDATE entries SET used = ? WHERE kind = ? AND key = ? AND used < ?"
        with suppress(sqlite3.Error), closing(self._base) as base, base:
            base.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
            base.executemany(update, asked)
            base.execute("DELETE FROM entries WHERE used < ?", (self._today - _DAYS,))
        self._base = None

    def close(self) -> None:
        """Let go of the file without writing into it."""
        if self._base is not None:
            self._base.close()
            self._base = None

    def _open(self) -> None:
        with suppress(OSError):
            if not self._folder.exists():
                self._folder.mkdir(parents=True)
                for name, text in _BESIDE.items():
                    (self._folder / name).write_text(text)
            if not self._file.exists():
                # Those of another torchlint, which has been taken away or changed.
                _delete(self._folder)
        for _ in range(2):
            try:
                self._base = sqlite3.connect(self._file, timeout=_PATIENCE)
                self._base.execute(_TABLE)
            except sqlite3.Error as error:
                self._done_without(error)
                if isinstance(error, sqlite3.OperationalError):
                    return
            else:
                return

    def _done_without(self, error: Exception) -> None:
        """Go on without a file, which is deleted if it is broken."""
        self.close()
        if not isinstance(error, sqlite3.OperationalError):
            with suppress(OSError):
                self._file.unlink()


def _delete(folder: Path) -> None:
    for file in folder.glob(f"{_PREFIX}*.sqlite*"):
        file.unlink()


def clear(folder: Path) -> bool:
    """Delete what stores have made in a folder, and the folder if nothing else is in it.

    Returns whether there was anything. Raises OSError where it cannot be deleted.
    """
    if not any(folder.glob(f"{_PREFIX}*.sqlite*")):
        return False
    _delete(folder)
    if {file.name for file in folder.iterdir()} == _BESIDE.keys():
        for name in _BESIDE:
            (folder / name).unlink()
        folder.rmdir()
    return True
