"""Shuts a forked child in before it runs the user's code, and says what the platform enforces.

Everything goes through the standard library and ``ctypes``: resource limits, a network namespace
(or a filter on ``socket``, or a block in Python), and Landlock for the file system.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

from . import kernel
from .processes import KILL

KEPT_VARIABLES = frozenset({"PATH", "LANG", "TZ", "SYSTEMROOT", "LD_LIBRARY_PATH"})
_MEBIBYTE = 2**20
_FILE_SIZE = 64 * _MEBIBYTE
_OPEN_FILES = 256
_PROCESSES = 64


@dataclass(frozen=True)
class Limits:
    """What a job may use: seconds of wall time, and bytes of memory beyond torch's own."""

    seconds: float
    memory: int


def environment(scratch: str) -> dict[str, str]:
    """What the user's code sees of the environment: where programs lie, nothing personal."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT_VARIABLES}
    homes = dict.fromkeys(
        ["HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "TORCH_HOME", "HF_HOME"],
        scratch,
    )
    # An accelerator belongs to whoever is using it, and its memory knows no limit of ours.
    alone = {"CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""}
    quiet = {"MPLBACKEND": "Agg", "WANDB_MODE": "disabled", "PYTHONHASHSEED": "0"}
    threads = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return {**kept, **homes, **alone, **quiet, **threads}


def shut_in(scratch: str, limits: Limits) -> tuple[str, ...]:
    """Restrict this process for good; returns the restrictions that hold."""
    variables = environment(scratch)
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(scratch)
    # It may have been asked for, and remembered, before the variables were set.
    tempfile.tempdir = scratch
    sys.dont_write_bytecode = True
    kernel.die_with_parent(KILL)
    network = _refuse_network()
    held = [f"wall time {limits.seconds:g} s", *_limit_resources(limits), network]
    if kernel.write_only_below([scratch, "/dev/null", "/dev/shm"]):
        held.append("file system (Landlock)")
    return tuple(held)


def _refuse_network() -> str:
    if kernel.leave_network():
        return "network (namespace)"
    if kernel.filter_sockets():
        return "network (seccomp)"
    _block_sockets()
    return "network (Python only)"


def _block_sockets() -> None:
    import socket

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("the network is not available while torchlint runs this code")

    for name in ("connect", "connect_ex", "bind", "sendto"):
        setattr(socket.socket, name, refuse)
    socket.getaddrinfo = refuse  # type: ignore[assignment]


def _limit_resources(limits: Limits) -> list[str]:
    if resource is None:
        return []
    cpu = int(limits.seconds) + 5
    wanted = [
        ("RLIMIT_CPU", cpu, f"CPU time {cpu} s"),
        ("RLIMIT_FSIZE", _FILE_SIZE, f"file size {_FILE_SIZE // _MEBIBYTE} MiB"),
        ("RLIMIT_NOFILE", _OPEN_FILES, f"open files {_OPEN_FILES}"),
        ("RLIMIT_CORE", 0, "no core files"),
        # Address space would count the libraries that torch maps and never touches.
        ("RLIMIT_DATA", _data_now() + limits.memory, f"memory {limits.memory // _MEBIBYTE} MiB"),
    ]
    if kernel.in_own_user_namespace() and os.getuid() != 0:
        wanted.append(("RLIMIT_NPROC", _PROCESSES, f"processes {_PROCESSES}"))
    return [said for name, value, said in wanted if _limit(name, value)]


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
