"""The few system calls of Linux that Python does not wrap; elsewhere each says that it failed."""

from __future__ import annotations

import contextlib
import ctypes
import platform
import struct
import sys
from typing import Any

LINUX = sys.platform.startswith("linux")
X86 = platform.machine() == "x86_64"
KNOWN = LINUX and platform.machine() in ("x86_64", "aarch64")

_PR_SET_PDEATHSIG = 1
_PR_CAPBSET_DROP = 24
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38

_CAPABILITY_VERSION = 0x20080522
_CAPABILITIES = 64

_COLLAPSE = 25
_LARGE = 2**21


def libc() -> Any:
    """The C library, which remembers why its last call failed."""
    return ctypes.CDLL(None, use_errno=True)


def use_large_pages() -> None:
    """Put this process's memory into large pages, of which a fork has few to go through."""
    if not LINUX:
        return
    with contextlib.suppress(OSError), open("/proc/self/maps", encoding="utf-8") as stream:
        regions = [line.split() for line in stream]
        advise = libc().madvise
        advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        for bounds, rights, _, _, _, *name in regions:
            if rights == "rw-p" and name in ([], ["[heap]"]):
                first, last = (int(bound, 16) // _LARGE for bound in bounds.split("-"))
                for number in range(first + 1, last):
                    advise(number * _LARGE, _LARGE, _COLLAPSE)  # which older kernels refuse


def die_with_parent(signal_number: int) -> None:
    """Have this process killed when the one that forked it ends."""
    if LINUX:
        libc().prctl(_PR_SET_PDEATHSIG, signal_number, 0, 0, 0)


def adopt_orphans() -> None:
    """Make this process the parent of every descendant that loses its own."""
    if LINUX:
        libc().prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def drop_privileges() -> bool:
    """Give up every capability, for this process and for whatever it starts."""
    if not LINUX:
        return False
    library = libc()
    for number in range(_CAPABILITIES):
        library.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
    library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = struct.pack("<Ii", _CAPABILITY_VERSION, 0)
    none: int = library.capset(header, bytes(24))
    return none == 0
