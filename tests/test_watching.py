"""Watching: another look after each change, by a process that is interrupted at the end."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cases import ROOT
from click.testing import CliRunner

from torchlint import watching
from torchlint.cli import command

WRONG = """\
import torch
import torch.nn.functional as F
from head import head


def step(model, x, y):
    return F.cross_entropy(head(model(x)), y)
"""
HEAD = "import torch\n\n\ndef head(x):\n    return torch.{}(x, 1)\n"
PATIENCE = 60


class Watched:
    """A run that watches, and what it has written."""

    def __init__(self, *arguments: str) -> None:
        # Who is started in the background ignores the signal, and so does what it starts.
        heard = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "torchlint", "--watch", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": os.fspath(ROOT), "PYTHONUNBUFFERED": "1"},
        )
        signal.signal(signal.SIGINT, heard)
        self.lines: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)

    def look(self) -> str:
        """What the next look has said."""
        said = ""
        while True:
            line = self.lines.get(timeout=PATIENCE)
            if "watching for changes" in line:
                return said
            said += line


@contextmanager
def watched(*arguments: str) -> Iterator[Watched]:
    run = Watched(*arguments)
    try:
        yield run
    finally:
        run.process.kill()
        run.process.wait()
        run.reader.join()
        assert run.process.stdout is not None
        run.process.stdout.close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text(WRONG)
    Path("head.py").write_text(HEAD.format("log_softmax"))
    Path(".git").mkdir()
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_each_change_that_may_matter_is_followed_by_a_look() -> None:
    with watched("train.py", "--output-format", "concise") as run:
        assert run.look() == ""
        Path("head.py").write_text(HEAD.format("softmax"))
        assert "train.py:7:12: TL301" in run.look()
        Path("torchlint.toml").write_text("ignor = []")
        assert "there is no option ignor" in run.look()
        Path("notes.md").write_text("nothing to do with it")
        Path(".git", "x.py").write_text("nor this")
        Path("torchlint.toml").unlink()
        assert "TL301" in run.look()
        time.sleep(1)
        assert run.lines.empty()
        before = time.monotonic()
        run.process.send_signal(signal.SIGINT)
        assert run.process.wait(PATIENCE) == 130
        assert time.monotonic() - before < 5
        assert "Traceback" not in "".join(run.lines.queue)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--fix"], "--fix and --watch exclude each other."),
        (["--confirm"], "--confirm and --watch exclude each other."),
        (["-"], "--watch is for files, and - is none."),
        (["nowhere"], "nowhere does not exist"),
    ],
)
def test_what_does_not_go_with_it(arguments: list[str], said: str) -> None:
    run = CliRunner().invoke(command, ["--watch", *arguments])
    assert run.exit_code == 2
    assert said in run.stderr


@pytest.mark.usefixtures("folder")
def test_without_watchfiles_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    run = CliRunner().invoke(command, ["--watch"])
    assert run.exit_code == 2
    assert "pip install 'torchlint[watch]'" in run.stderr


def test_the_project_around_a_path_is_watched(folder: Path) -> None:
    (folder / "src" / "pkg").mkdir(parents=True)
    (folder / "src" / "pkg" / "a.py").touch()
    for path in ("src", "src/pkg/a.py", "train.py"):
        assert watching._around(path) == os.fspath(folder)
