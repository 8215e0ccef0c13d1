"""What of the file system a process may read and change, told to the kernel (Landlock)."""

from __future__ import annotations

import ctypes
import os
import struct
from typing import TYPE_CHECKING, Any

from .kernel import KNOWN, libc

if TYPE_CHECKING:
    from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, READ_DIR = 1, 1 << 1, 1 << 2, 1 << 3
READ = _EXECUTE | _READ_FILE | READ_DIR
# REMOVE_DIR, REMOVE_FILE, MAKE_CHAR … MAKE_SYM, and what later versions know.
_CHANGE = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))
_REFER, _TRUNCATE, _DEVICES = 1 << 13, 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICES

_SINCE = ((2, _REFER), (3, _TRUNCATE), (5, _DEVICES))
_SCOPED_SINCE = 6
_SCOPE = 0b11  # abstract sockets and signals


def version() -> int:
    """Which version the kernel has, 0 where it has none."""
    if not KNOWN:
        return 0
    return max(0, int(libc().syscall(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)))


def confine(readable: Iterable[tuple[str, int]], writable: Iterable[str]) -> list[str]:
    """Refuse this process all of the file system but these paths; what is held by that, in words.

    ``readable`` says of each path which of the rights to read hold below it.
    """
    known = version()
    if not known:
        return []
    handled = READ | _CHANGE | sum(right for since, right in _SINCE if known >= since)
    scope = _SCOPE if known >= _SCOPED_SINCE else 0
    attributes = struct.pack("<QQQ", handled, 0, scope) if scope else struct.pack("<Q", handled)
    library = libc()
    rules = library.syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return []
    try:
        for path, rights in readable:
            _allow(library, rules, path, rights)
        for path in writable:
            _allow(library, rules, path, handled)
        restricted: int = library.syscall(_RESTRICT, rules, 0)
    finally:
        os.close(rules)
    if restricted != 0:
        return []
    held = ["reading other files than the program's and its interpreter's (Landlock)"]
    held += ["writing outside a scratch folder (Landlock)"]
    return [*held, "signals to other processes (Landlock)"] if scope else held


def _allow(library: Any, rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        allowed = rights if os.path.isdir(path) else rights & _OF_FILES
        library.syscall(_ADD, rules, _BENEATH, struct.pack("<Qi", allowed, place), 0)
    finally:
        os.close(place)
