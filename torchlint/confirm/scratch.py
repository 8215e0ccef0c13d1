"""The folder that a sandbox works in: it goes with the run, or with the next one after a crash.

Whoever has made such a folder holds it, which ends with the process whatever ends that. One that
nobody holds any more is cleared.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import time
from contextlib import suppress

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PREFIX = "torchlint-sandbox-"
# As the standard library names and makes them: nothing else of the user's looks like it.
_NAME = re.compile(rf"{PREFIX}[a-z0-9_]{{8}}")
_MODE = 0o700
# A folder is there a moment before it is held.
_FRESH = 60.0


class Folder:
    """A new folder that is held; those that others have left are gone."""

    def __init__(self) -> None:
        if fcntl is not None:
            _clear(tempfile.gettempdir())
        self.path = tempfile.mkdtemp(prefix=PREFIX)
        self._hold = _hold(self.path)

    def remove(self) -> None:
        """Have nothing left of it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._hold is not None:
            os.close(self._hold)


def _hold(folder: str) -> int | None:
    """A descriptor that holds a folder, None where somebody does, or nobody can."""
    if fcntl is None:
        return None
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _clear(folder: str) -> None:
    """Remove what this user's runs have left there."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if _NAME.fullmatch(entry.name) and _is_ours(entry):
                held = _hold(entry.path)
                if held is not None:
                    shutil.rmtree(entry.path, ignore_errors=True)
                    os.close(held)


def _is_ours(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder of this user's that is not just being made."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    ours = status.st_mode == stat.S_IFDIR | _MODE and status.st_uid == os.getuid()
    return ours and time.time() - status.st_mtime > _FRESH
