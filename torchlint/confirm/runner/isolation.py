"""Shuts a process in before it runs the user's code, and says what the platform enforces.

Everything goes through the standard library and ``ctypes``: resource limits, namespaces, Landlock
for the file system and a seccomp filter for what is left; each where the kernel has it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

from . import drivers, kernel, landlock, seccomp
from .namespaces import SHARED_MEMORY, Surroundings
from .processes import KILL

if TYPE_CHECKING:
    from collections.abc import Sequence

KEPT_VARIABLES = frozenset({"PATH", "LANG", "TZ", "SYSTEMROOT", "LD_LIBRARY_PATH"})
MEBIBYTE = 2**20
DISK = 256 * MEBIBYTE
PROCESSES = 32
# What computes reads these when it is loaded; threads that wait for each other keep cores busy.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
_FILE_SIZE = 64 * MEBIBYTE
_OPEN_FILES = 256
_THREADS = 128


@dataclass(frozen=True)
class Limits:
    """What a job may use: seconds of wall time, and bytes of memory beyond torch's own."""

    seconds: float
    memory: int


def environment(scratch: str, accelerated: bool = False) -> dict[str, str]:
    """What the user's code sees of the environment: where programs lie, nothing personal."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT_VARIABLES}
    homes = dict.fromkeys(
        ["HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "TORCH_HOME", "HF_HOME"],
        scratch,
    )
    # Accelerators belong to whoever is using them: there is one if it was asked for, or none.
    first = os.environ.get(drivers.VISIBLE, "0").partition(",")[0] if accelerated else ""
    alone = {drivers.VISIBLE: first, "HIP_VISIBLE_DEVICES": ""}
    quiet = {"MPLBACKEND": "Agg", "WANDB_MODE": "disabled", "PYTHONHASHSEED": "0"}
    return {**kept, **homes, **alone, **quiet, **ONE_THREAD}


def shut_in(
    scratch: str,
    limits: Limits,
    around: Surroundings = Surroundings(),  # noqa: B008  (frozen)
    readable: Sequence[tuple[str, int]] = (),
    accelerated: bool = False,
) -> list[str]:
    """Restrict this process for good; returns the restrictions that hold.

    If it is ``accelerated``, it may use an accelerator through its driver, where there is one.
    """
    accelerated = accelerated and bool(drivers.nodes())
    variables = environment(scratch, accelerated)
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(scratch)
    # It may have been asked for, and remembered, before the variables were set.
    tempfile.tempdir = scratch
    sys.dont_write_bytecode = True
    kernel.die_with_parent(KILL)
    held = [*_limit_resources(limits, around), *_of_namespaces(around)]
    if kernel.drop_privileges():
        held.append("no privileges")
    writable = [scratch, "/dev/null", SHARED_MEMORY, *(drivers.needs() if accelerated else ())]
    held += landlock.confine(readable, writable)
    filtered = seccomp.confine(around.network, around.memory, accelerated)
    if not around.network and not filtered:
        _block_sockets()
        held.append("network (Python only)")
    return [*held, *filtered]


def _of_namespaces(around: Surroundings) -> list[str]:
    said = {
        "network": around.network,
        "other processes": around.processes,
        "shared memory": around.memory,
        "writing outside a scratch folder": around.frozen,
    }
    return [f"{what} (namespace)" for what, is_so in said.items() if is_so]


def _block_sockets() -> None:
    import socket

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("the network is not available while torchlint runs this code")

    for name in ("connect", "connect_ex", "bind", "sendto"):
        setattr(socket.socket, name, refuse)
    socket.getaddrinfo = refuse  # type: ignore[assignment]


def _limit_resources(limits: Limits, around: Surroundings) -> list[str]:
    if resource is None:
        return []
    cpu = int(limits.seconds) + 5
    wanted = [
        ("RLIMIT_CPU", cpu, f"CPU time {cpu} s"),
        ("RLIMIT_FSIZE", _FILE_SIZE, f"file size {_FILE_SIZE // MEBIBYTE} MiB"),
        ("RLIMIT_NOFILE", _OPEN_FILES, f"open files {_OPEN_FILES}"),
        ("RLIMIT_CORE", 0, "no core files"),
        # Address space would count the libraries that torch maps and never touches.
        ("RLIMIT_DATA", _data_now() + limits.memory, f"memory {limits.memory // MEBIBYTE} MiB"),
    ]
    if around.user and os.getuid() != 0:
        # It counts threads, in this namespace alone, and for all but root.
        wanted.append(("RLIMIT_NPROC", _THREADS, ""))
    return [said for name, value, said in wanted if _limit(name, value) and said]


def _limit(name: str, value: int) -> bool:
    number = getattr(resource, name, None)
    if number is None:
        return False
    try:
        _, hard = resource.getrlimit(number)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (value, value))
    except (OSError, ValueError):
        return False
    return True


def _data_now() -> int:
    """Bytes of private memory that this process has mapped already."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as stream:
            for line in stream:
                if line.startswith("VmData:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 2**30
