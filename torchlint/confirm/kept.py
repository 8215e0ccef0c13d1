"""Verdicts of earlier runs, by the content of all that they rest on.

That is the finding, each file of its project, the interpreter and its packages. Only what was
confirmed or refuted is kept: what time or a busy machine left open is tried again.

Each is sealed with a key of the user's, for the folder of the store may have come with the code.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import subprocess
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchlint.cache.identity import digest, identity
from torchlint.confirm.runner.callers import tops_of
from torchlint.findings import Series, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.cache.store import Store
    from torchlint.confirm.runner.protocol import Job
    from torchlint.findings import Finding

_KIND = "verdict"
_FINAL = (Status.CONFIRMED, Status.REFUTED)
_MOST_FILES = 20_000
_KEY_BYTES = 32
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages"})

# What an interpreter is, and which folders of packages of its own it has besides.
_ASK = """\
import json, os, sys, sysconfig
paths = {sysconfig.get_paths()[name] for name in ("purelib", "platlib")}
names = sorted(name for path in paths if os.path.isdir(path) for name in os.listdir(path))
inside = (sys.prefix, sys.base_prefix)
others = [path for path in sys.path if os.path.isdir(path) and not path.startswith(inside)]
print(json.dumps([[sys.version, sys.prefix, names], others]))
"""


class TooMuchError(Exception):
    """There is more than can be looked through, or something cannot be read."""


class Kept:
    """The verdicts of one interpreter; where that cannot be told apart there are none."""

    def __init__(self, store: Store, python: str, variables: dict[str, str]) -> None:
        self._store = store
        self._folders: dict[str, str] = {}
        self._key = _key()
        self._python = _environment(python, variables) if self._key else ""

    def get(self, finding: Finding, job: Job) -> Verdict | None:
        """The verdict on a finding, of which this is the first job."""
        name = self._name(finding, job)
        data = self._store.get(_KIND, name) if name else None
        if data is None:
            return None
        seal, _, said = data.partition(b"\n")
        if not hmac.compare_digest(seal, self._seal(name, said)):
            return None
        return _verdict(json.loads(said))

    def put(self, finding: Finding, job: Job, verdict: Verdict) -> None:
        """Keep a verdict, if it is one that more time would not change."""
        name = self._name(finding, job) if verdict.status in _FINAL else ""
        if name:
            said = json.dumps(asdict(verdict)).encode()
            self._store.put(_KIND, name, self._seal(name, said) + b"\n" + said)

    def _seal(self, name: str, said: bytes) -> bytes:
        return hmac.new(self._key, name.encode() + said, hashlib.sha256).hexdigest().encode()

    def _name(self, finding: Finding, job: Job) -> str:
        if not self._python:
            return ""
        with suppress(TooMuchError):
            folders = (tops_of(job.root)[-1], os.path.dirname(job.target.file))
            project = [self._folder(folder) for folder in dict.fromkeys(folders)]
            asked = (finding.fix, job.code, job.scope, job.target, job.because, job.device)
            run = (job.command, job.folder, job.module, sorted(job.variables.items()))
            return digest(identity(), self._python, asked, run, sorted(job.texts.items()), project)
        return ""

    def _folder(self, folder: str) -> str:
        """What was in a folder when it was first asked for, before anything was run."""
        if folder not in self._folders:
            self._folders[folder] = _folder(folder)
        return self._folders[folder]


def _verdict(data: dict[str, Any]) -> Verdict:
    series = (Series(**{**each, "values": tuple(each["values"])}) for each in data["measured"])
    return Verdict(**{**data, "status": Status(data["status"]), "measured": tuple(series)})


def _environment(python: str, variables: dict[str, str]) -> str:
    """What an interpreter and its packages are, empty where that cannot be had."""
    try:
        answer = subprocess.run(
            [python, "-B", "-c", _ASK], env=variables, capture_output=True, timeout=20, check=True
        )
        itself, others = json.loads(answer.stdout)
        return digest(itself, [_folder(folder) for folder in others])
    except (OSError, ValueError, subprocess.SubprocessError, TooMuchError):
        return ""


def _folder(folder: str) -> str:
    """What is in a folder: of code the text, of other files how large and how old they are."""
    return digest(sorted(_files(folder)))


def _files(folder: str) -> Iterator[tuple[str, str]]:
    count = 0
    for path, folders, names in os.walk(folder):
        folders[:] = _looked_at(folders)
        for name in _looked_at(names):
            count += 1
            if count > _MOST_FILES:
                raise TooMuchError
            file = os.path.join(path, name)
            try:
                yield os.path.relpath(file, folder), _content(file)
            except OSError:
                raise TooMuchError from None


def _looked_at(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.startswith(".") and name not in _SKIPPED]


def _content(file: str) -> str:
    if file.endswith(".py"):
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    status = os.lstat(file)
    return f"{status.st_size} {status.st_mtime_ns}"


def _key() -> bytes:
    """The user's, made where there is none yet; empty where none can be kept."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    file = Path(base) / "torchlint" / "verdicts.key"
    try:
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            fresh = file.with_name(f"{file.name}.{os.getpid()}")
            fresh.touch(mode=0o600)
            fresh.write_bytes(secrets.token_bytes(_KEY_BYTES))
            fresh.replace(file)
        key = file.read_bytes()
    except (OSError, RuntimeError):
        return b""
    return key if len(key) == _KEY_BYTES else b""
