"""Which files a program and its interpreter need; a user's home has more, and none of it is."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from .callers import tops_of
from .landlock import READ, READ_DIR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .protocol import Job

_SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/sys/devices/system",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/shm",
)
_SETTINGS = (
    "alternatives",
    "fonts",
    "group",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "resolv.conf",
    "timezone",
)
_OF_MACHINE = ("cpuinfo", "meminfo", "stat", "loadavg", "uptime", "version", "filesystems", "sys")
_OF_PROCESS = ("status", "stat", "statm", "maps", "limits", "cgroup", "mounts", "mountinfo", "io")
_MOST_CHILDREN = 3000


def readable(job: Job) -> Iterator[tuple[str, int]]:
    """The paths that a job may read, with the rights that hold below them."""
    plain = [*_SYSTEM, *of_interpreter()]
    plain += [f"/etc/{name}" for name in _SETTINGS]
    plain += [f"/proc/{name}" for name in _OF_MACHINE]
    plain += [f"/proc/{os.getpid()}/{name}" for name in _OF_PROCESS]
    for path in plain:
        yield path, READ
    yield f"/proc/{os.getpid()}/task", READ_DIR
    for folder in _of_program(job):
        yield from below(folder, os.path.expanduser("~"))


def lay_out(job: Job, scratch: str) -> None:
    """Make what lies in the folder that a program is started in be found in its scratch folder."""
    if job.folder:
        for entry in list(os.scandir(job.folder))[:_MOST_CHILDREN]:
            if not entry.name.startswith("."):
                os.symlink(entry.path, os.path.join(scratch, entry.name))


def below(folder: str, home: str) -> Iterator[tuple[str, int]]:
    """All of a folder but what is hidden in it; of one that homes are in, its own files alone."""
    folder, home = os.path.realpath(folder), os.path.realpath(home)
    is_above_home = f"{home}/".startswith(f"{folder.rstrip('/')}/")
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    if len(entries) > _MOST_CHILDREN and not is_above_home:
        yield folder, READ
        return
    if not is_above_home:
        yield folder, READ_DIR
    for entry in entries:
        ours = folder == home or not is_above_home or entry.is_file()
        if ours and not entry.name.startswith("."):
            yield entry.path, READ


def _of_program(job: Job) -> list[str]:
    """The folders of the flagged file, of what leads to it, and of the project they are in."""
    files = [job.target.file, *(place.file for place in job.because), *job.texts]
    files += [os.path.join(job.outlines, "any")] if job.outlines else []
    files += job.command[:1]
    folders = [job.folder or job.root, job.root, tops_of(job.root)[-1], *job.search_path]
    folders += map(os.path.dirname, map(os.path.abspath, files))
    kept: list[str] = []
    for folder in sorted(set(map(os.path.abspath, folders))):
        if not any(folder.startswith(f"{other.rstrip(os.sep)}{os.sep}") for other in kept):
            kept.append(folder)
    return kept


@cache
def of_interpreter() -> tuple[str, ...]:
    """Where this interpreter and its packages lie, also those that are worked on elsewhere."""
    folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
    folders += [folder for folder in sys.path if folder and not _is_above_home(folder)]
    folders.append(os.path.dirname(os.path.abspath(__file__)))
    for name, module in list(sys.modules.items()):
        if name.startswith("__editable__"):  # what setuptools puts there for such packages
            folders += map(str, getattr(module, "MAPPING", {}).values())
    folders += os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    folders += _of_libraries()
    return tuple(folder for folder in dict.fromkeys(folders) if os.path.isabs(folder))


def _is_above_home(folder: str) -> bool:
    home = os.path.realpath(os.path.expanduser("~"))
    return f"{home}/".startswith(f"{os.path.realpath(folder).rstrip('/')}/")


def _of_libraries() -> list[str]:
    """The folders of what this process has mapped."""
    found: dict[str, None] = {}
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as stream:
            for line in stream:
                path = line.rstrip("\n").partition("/")
                if path[1] and ".so" in path[2]:
                    found[os.path.dirname(f"/{path[2]}")] = None
    except OSError:
        pass
    return list(found)
