"""What entries go by: a digest of what they rest on, and which torchlint has made them."""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path

import torchlint


def digest(*what: object) -> str:
    """A short name for some plain data."""
    return hashlib.sha256(repr(what).encode("utf-8", "surrogatepass")).hexdigest()


@cache
def identity() -> str:
    """The version of torchlint and Python, and of each of torchlint's files its size and time."""
    written = hashlib.sha256(f"{torchlint.__version__} {sys.version}".encode())
    for folder, folders, files in os.walk(Path(torchlint.__file__).parent):
        folders.sort()
        for name in sorted(files):
            if not name.endswith(".pyc"):
                status = os.stat(os.path.join(folder, name))
                written.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return written.hexdigest()
