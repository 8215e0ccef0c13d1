"""The few system calls of Linux that Python does not wrap; elsewhere each says that it failed."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from typing import Any

_LINUX = sys.platform.startswith("linux")
_X86 = platform.machine() == "x86_64"
_KNOWN = _LINUX and platform.machine() in ("x86_64", "aarch64")

_PR_SET_PDEATHSIG = 1
_PR_SET_SECCOMP = 22
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
# WRITE_FILE, REMOVE_DIR, REMOVE_FILE, MAKE_CHAR … MAKE_SYM: all that changes a file system.
_WRITE_FILE = 1 << 1
_CHANGES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))
_REFER, _TRUNCATE = 1 << 13, 1 << 14

_namespaced = False


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def die_with_parent(signal_number: int) -> None:
    """Have this process killed when the one that forked it ends."""
    if _LINUX:
        _libc().prctl(_PR_SET_PDEATHSIG, signal_number, 0, 0, 0)


def adopt_orphans() -> None:
    """Make this process the parent of every descendant that loses its own."""
    if _LINUX:
        _libc().prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def in_own_user_namespace() -> bool:
    """Whether :func:`leave_network` has given this process a user namespace."""
    return _namespaced


def leave_network() -> bool:
    """Move to a network namespace that has no interface, not even a loopback that is up."""
    global _namespaced
    if not _LINUX:
        return False
    user, group = os.getuid(), os.getgid()
    if _libc().unshare(_CLONE_NEWUSER | _CLONE_NEWNET) != 0:
        return False
    _namespaced = True
    for name, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        try:
            with open(f"/proc/self/{name}", "w", encoding="ascii") as stream:
                stream.write(line)
        except OSError:
            pass
    return True


def filter_sockets() -> bool:
    """Refuse every socket that is not local to the machine, by a seccomp filter."""
    if not _KNOWN:
        return False
    socket, architecture = (41, 0xC000003E) if _X86 else (198, 0xC00000B7)
    load, equal, answer = 0x20, 0x15, 0x06
    allow, refuse, local = 0x7FFF0000, 0x00050001, 1
    program = [
        (load, 0, 0, 4),
        (equal, 0, 5, architecture),
        (load, 0, 0, 0),
        (equal, 0, 3, socket),
        (load, 0, 0, 16),
        (equal, 1, 0, local),
        (answer, 0, 0, refuse),
        (answer, 0, 0, allow),
    ]
    code = b"".join(struct.pack("<HBBI", *instruction) for instruction in program)
    filters = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    whole = Program(len(program), ctypes.addressof(filters))
    libc = _libc()
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    done: int = libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(whole), 0, 0)
    return done == 0


def write_only_below(paths: list[str]) -> bool:
    """Refuse every change of the file system but below the paths, by Landlock."""
    if not _KNOWN:
        return False
    libc = _libc()
    version = libc.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    handled = _CHANGES | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    attributes = struct.pack("<Q", handled)
    rules = libc.syscall(_LANDLOCK_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return False
    try:
        for path in filter(os.path.exists, paths):
            _allow(libc, rules, path, handled)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        restricted: int = libc.syscall(_LANDLOCK_RESTRICT, rules, 0)
        return restricted == 0
    finally:
        os.close(rules)


def _allow(libc: Any, rules: int, path: str, handled: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        allowed = handled if os.path.isdir(path) else handled & (_WRITE_FILE | _TRUNCATE)
        libc.syscall(_LANDLOCK_ADD, rules, 1, struct.pack("<Qi", allowed, place), 0)
    finally:
        os.close(place)
