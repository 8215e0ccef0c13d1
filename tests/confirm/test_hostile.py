"""Programs that do harm, or would have a verdict of their own: none gets it, nothing is left."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flagged import job

from torchlint.confirm.runner.processes import descendants
from torchlint.confirm.runner.protocol import OPEN, SHOWN
from torchlint.confirm.sandbox import Sandbox

pytestmark = pytest.mark.torch

PROGRAMS = sorted((Path(__file__).parent / "hostile").glob("*.py"))
SAYS = re.compile(r"^# says: (.+)$", re.MULTILINE)
SECONDS = 8
MEMORY = 2**28


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / ".ssh").mkdir()
    (folder / ".ssh" / "id_rsa").write_text("s3cret")
    (folder / "notes.txt").write_text("s3cret")
    return folder


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module")
def hostile(home: Path, scratch: Path) -> Iterator[Sandbox]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("TMPDIR", str(scratch))
        patch.setenv("API_TOKEN", "s3cret")
        with Sandbox(sys.executable, SECONDS, 1, MEMORY) as started:
            yield started


@pytest.fixture
def victim() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "100"])
    yield process
    process.kill()
    process.wait()


@contextlib.contextmanager
def listening(folder: Path) -> Iterator[list[socket.socket]]:
    """Sockets that programs of this machine listen on."""
    with (
        socket.create_server(("127.0.0.1", 0)) as internet,
        socket.socket(socket.AF_UNIX) as local,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        port = internet.getsockname()[1]
        (folder / "port.txt").write_text(str(port))
        local.bind(str(folder / "socket"))
        abstract.bind(f"\0torchlint-hostile-{port}")
        local.listen()
        abstract.listen()
        yield [internet, local, abstract]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_no_verdict_and_nothing_left(
    program: Path,
    tmp_path: Path,
    hostile: Sandbox,
    home: Path,
    scratch: Path,
    victim: subprocess.Popen[bytes],
) -> None:
    text = program.read_text("utf-8")
    file = tmp_path / "project" / program.name
    file.parent.mkdir()
    file.write_text(text, "utf-8")
    (file.parent / "home.txt").write_text(str(home))
    (file.parent / "victim.txt").write_text(str(victim.pid))
    (file.parent / ".env").write_text("s3cret")
    with listening(file.parent):
        before = everything(file.parent), everything(Path("/dev/shm")), everything(home)
        began = time.monotonic()
        hostile.submit(job("TL101", file, "act"))
        [(_, seen)] = hostile.observations()
        took = time.monotonic() - began
        after = everything(file.parent), everything(Path("/dev/shm")), everything(home)
    assert seen.outcome == OPEN, seen
    wanted = SAYS.search(text)
    assert wanted is not None
    assert re.search(wanted.group(1), seen.reason), seen.reason
    assert seen.reason.isprintable()
    assert len(seen.reason) < 700
    assert took < 2 * SECONDS
    assert descendants(hostile._server.pid) == []
    assert list(scratch.iterdir()) == []
    assert after == before
    assert victim.poll() is None


def everything(folder: Path) -> dict[str, bytes]:
    return {
        os.path.relpath(path, folder): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
    }


GOOD = """
import torch


def act(x):
    h = torch.sigmoid(x)
    h += 1  # here
    return h
"""


def test_other_jobs_are_served_after_all_that(tmp_path: Path, hostile: Sandbox) -> None:
    file = tmp_path / "good.py"
    file.write_text(GOOD)
    hostile.submit(job("TL101", file, "act"))
    [(_, seen)] = hostile.observations()
    assert (seen.outcome, seen.reason) == (SHOWN, "")


BESIDE = """
import ctypes
import torch

NAMES = (ctypes.c_byte, ctypes.c_double)  # and what of __globals__


def other():
    return ctypes.pythonapi, act.__closure__, act.__globals__


class Bound(torch.nn.Module):
    def act(self, x):
        h = torch.sigmoid(x)
        h += 1  # here
        return h

    def other(self):
        return self.act.__func__
"""


def test_what_a_file_names_counts_where_it_is_run(tmp_path: Path, hostile: Sandbox) -> None:
    file = tmp_path / "beside.py"
    file.write_text(BESIDE)
    hostile.submit(job("TL101", file, "Bound.act"))
    [(_, seen)] = hostile.observations()
    assert (seen.outcome, seen.reason) == (SHOWN, "")
