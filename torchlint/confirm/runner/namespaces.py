"""Surroundings of a process's own: network, processes, shared memory and mounts (namespaces)."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from typing import Any

from .kernel import KNOWN, LINUX, libc

_SPARE = 16 * 2**20
_NEW_MOUNTS = 0x00020000
_NEW_IPC = 0x08000000
_NEW_USER = 0x10000000
_NEW_PROCESSES = 0x20000000
_NEW_NETWORK = 0x40000000

_PRIVATE = 1 << 14 | 1 << 18  # MS_REC | MS_PRIVATE
_PLAIN = 1 << 1 | 1 << 2 | 1 << 3  # MS_NOSUID | MS_NODEV | MS_NOEXEC
_MOUNT_SETATTR = 442
_HERE = -100
_RECURSIVE = 0x8000
_READ_ONLY = 1

_MOST_PROCESSES = 400

SHARED_MEMORY = "/dev/shm"


@dataclass(frozen=True)
class Surroundings:
    """Which of them a process has to itself, for all that it starts.

    ``disk`` says that its scratch folder and shared memory are of limited size and vanish with it,
    ``frozen`` that everything else is mounted read-only.
    """

    user: bool = False
    network: bool = False
    processes: bool = False
    memory: bool = False
    disk: bool = False
    frozen: bool = False


def leave(scratch: str, size: int) -> Surroundings:
    """Move to namespaces of its own, as far as the kernel lets this user.

    What comes next is forked into the namespace of processes; ``scratch`` and shared memory take
    no more than ``size`` bytes.
    """
    if not LINUX:
        return Surroundings()
    user, group = os.getuid(), os.getgid()
    library = libc()
    wanted = _NEW_NETWORK | _NEW_IPC | _NEW_MOUNTS | _NEW_PROCESSES
    if library.unshare(_NEW_USER | wanted) != 0:
        if library.unshare(_NEW_USER | _NEW_NETWORK) != 0:
            return Surroundings()
        _keep_names(user, group)
        return Surroundings(user=True, network=True)
    _keep_names(user, group)
    disk, frozen = _mounted(library, scratch, size)
    return Surroundings(True, True, True, True, disk, frozen)


def are_allowed() -> bool:
    """Whether this user may have them, which a process that is not this one tries."""
    if not LINUX:
        return False
    pid = os.fork()
    if pid == 0:
        try:
            made = libc().unshare(_NEW_USER | _NEW_NETWORK | _NEW_MOUNTS | _NEW_PROCESSES)
            os._exit(0 if made == 0 else 1)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def show_own_processes() -> bool:
    """Make ``/proc`` tell of this namespace's processes alone; for the first of them."""
    if libc().mount(b"proc", b"/proc", b"proc", _PLAIN, None) != 0:
        return False
    try:
        # As many as may ever be numbered; the least that the kernel takes is somewhat above 300.
        with open("/proc/sys/kernel/pid_max", "w", encoding="ascii") as stream:
            stream.write(str(_MOST_PROCESSES))
    except OSError:
        pass
    return True


def _keep_names(user: int, group: int) -> None:
    """Inside, the user and the group are called as outside."""
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


def _mounted(library: Any, scratch: str, size: int) -> tuple[bool, bool]:
    """Whether scratch folder and shared memory are its own, and whether the rest is read-only."""
    if library.mount(None, b"/", None, _PRIVATE, None) != 0:
        return False, False
    frozen = KNOWN and not library.syscall(
        _MOUNT_SETATTR, _HERE, b"/", _RECURSIVE, struct.pack("<QQQQ", _READ_ONLY, 0, 0, 0), 32
    )
    # Some more, so that what is too much can be seen before there is no more of it.
    options = f"size={size + _SPARE},nr_inodes={size >> 14},mode=700".encode()
    places = [scratch, *([SHARED_MEMORY] if os.path.isdir(SHARED_MEMORY) else [])]
    disk = all(
        library.mount(b"tmpfs", os.fsencode(place), b"tmpfs", _PLAIN & ~(1 << 3), options) == 0
        for place in places
    )
    return disk, frozen
