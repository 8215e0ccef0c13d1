"""What is kept for later runs: it changes nothing of what is found, and breaks nothing."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from torchlint.analysis import running
from torchlint.api import check
from torchlint.cache.store import Store, clear
from torchlint.cli import command
from torchlint.findings import Finding, Level
from torchlint.settings import Settings


def variants(text: str, *endings: str) -> list[str]:
    return [text.replace("@", ending) for ending in endings]


HEAD = """\
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.spare = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)@
"""
OTHER_HEAD = """\
from torch import nn


class Head(nn.Module):
    def forward(self, x):
        return x
"""
LOSS = """\
import torch.nn.functional as F


def loss(y, t):
    return @
"""
BIG = """\
import torch
from pkg import Head


class Big(Head):
    def __init__(self):
        super().__init__()
        self.more = [torch.nn.Linear(3, 3)]
@"""
TRAIN = """\
import torch
from pkg.losses import loss
@


def step(x, t):
    model = Model()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(9):
        loss(model(x), t).backward()
        optimizer.step()
"""
PROJECT = {
    "pkg/__init__.py": variants("@from .layers import *\n", "", "from .losses import *\n"),
    "pkg/layers.py": [*variants(HEAD, "", ".softmax(1)", ".log_softmax(1)"), "class Head(:\n"],
    "pkg/losses.py": [
        *variants(LOSS, "F.cross_entropy(y, t)", "F.nll_loss(y, t)", "0  # torch"),
        OTHER_HEAD,
    ],
    "big.py": variants(BIG, "", "\n    def forward(self, x):\n        return self.spare(x)\n"),
    "train.py": variants(
        TRAIN,
        "from pkg import Head as Model",
        "from big import Big as Model",
        "import pkg\n\nModel = pkg.Head",
    ),
    "flags.py": variants(
        "import torch\n@",
        "",
        "torch.use_deterministic_algorithms(True)\n",
        "print(head.spare.weight)\n",
    ),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(versions: dict[str, int]) -> None:
    for name, version in versions.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(PROJECT[name][version])


def lint(cache: str = "", jobs: int = 1) -> tuple[Finding, ...]:
    wanted = Settings(level=Level.PEDANTIC, cache_dir=cache, jobs=jobs)
    report = check(["."], wanted)
    assert not report.troubles
    return report.findings


VERSIONS = st.fixed_dictionaries(
    {name: st.integers(0, len(texts) - 1) for name, texts in PROJECT.items()}
)


@settings(max_examples=40)
@given(st.lists(VERSIONS, min_size=2, max_size=4))
def test_findings_are_those_of_a_run_without(steps: list[dict[str, int]]) -> None:
    for versions in steps:
        write(versions)
        assert lint("kept") == lint()


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The files of which something is interpreted."""
    files: set[str] = set()
    outcome = running.Interpreter.outcome

    def noted(interpreter: running.Interpreter, number: int) -> object:
        files.add(interpreter.agenda.units[number].outline.source.path)
        return outcome(interpreter, number)

    monkeypatch.setattr(running.Interpreter, "outcome", noted)
    return files


def test_only_what_rests_on_a_changed_file_is_interpreted_again(interpreted: set[str]) -> None:
    write(dict.fromkeys(PROJECT, 0))
    lint("kept")
    assert {"train.py", "pkg/layers.py", "big.py"} <= interpreted
    interpreted.clear()
    lint("kept")
    assert not interpreted
    Path("pkg/losses.py").write_text(PROJECT["pkg/losses.py"][1])
    lint("kept")
    assert interpreted == {"train.py", "pkg/losses.py"}
    interpreted.clear()
    Path("pkg/losses.py").write_text(PROJECT["pkg/losses.py"][0])
    lint("kept")
    assert not interpreted


def test_processes_share_what_is_kept(interpreted: set[str]) -> None:
    write(dict.fromkeys(PROJECT, 0))
    found = lint("kept", jobs=2)
    assert found
    assert lint("kept", jobs=3) == found
    interpreted.clear()
    Path("flags.py").write_text("import torch\n\nx = 1\n")
    assert lint("kept") == found
    assert interpreted <= {"flags.py"}


def only(folder: str) -> Path:
    (file,) = Path(folder).glob("*.sqlite")
    return file


def put(**entries: bytes) -> None:
    store = Store(Path("kept"))
    for key, data in entries.items():
        store.put("kind", key, data)
    store.save()


def got(key: str) -> bytes | None:
    with closing(Store(Path("kept"))) as store:
        return store.get("kind", key)


def test_what_is_put_is_there_for_the_next() -> None:
    put(a=b"1")
    assert (got("a"), got("b")) == (b"1", None)


@pytest.mark.parametrize("keep", [0, 1, 100, 5_000])
def test_a_broken_file_is_made_anew(keep: int) -> None:
    put(**{f"k{number}": os.urandom(900) for number in range(40)})
    file = only("kept")
    file.write_bytes(file.read_bytes()[:keep])
    for _ in range(2):
        got("k7")
    put(a=b"1")
    put(a=b"1")
    assert got("a") == b"1"


def test_garbage_in_an_entry_is_no_entry() -> None:
    put(a=b"1")
    with sqlite3.connect(only("kept")) as base:
        base.execute("UPDATE entries SET data = 'garbage'")
    base.close()
    assert got("a") is None
    put(a=b"2")
    assert got("a") == b"2"


def test_a_locked_file_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchlint.cache.store._PATIENCE", 0.1)
    put(a=b"1")
    other = sqlite3.connect(only("kept"))
    other.execute("BEGIN EXCLUSIVE")
    put(b=b"2")
    other.rollback()
    other.close()
    assert (got("a"), got("b")) == (b"1", None)


def test_another_torchlint_starts_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    put(a=b"1")
    before = only("kept")
    monkeypatch.setattr("torchlint.cache.store.identity", lambda: "f" * 64)
    assert got("a") is None
    assert only("kept") != before


def test_what_nobody_asks_for_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    day = 86_400.0
    put(a=b"1", b=b"2")
    monkeypatch.setattr("time.time", lambda: 2_000_000_000 + 20 * day)
    with sqlite3.connect(only("kept")) as base:
        base.execute("UPDATE entries SET used = ?", (int(2_000_000_000 // day),))
    base.close()
    store = Store(Path("kept"))
    assert store.get("kind", "a") == b"1"
    store.save()
    monkeypatch.setattr("time.time", lambda: 2_000_000_000 + 40 * day)
    put(c=b"3")
    assert (got("a"), got("b"), got("c")) == (b"1", None, b"3")


def test_a_folder_that_is_a_file_is_done_without() -> None:
    Path("kept").write_text("mine")
    put(a=b"1")
    assert Path("kept").read_text() == "mine"


def test_the_folder_ignores_itself_and_clears_up_after_itself() -> None:
    put(a=b"1")
    assert Path("kept/.gitignore").read_text() == "*\n"
    assert clear(Path("kept"))
    assert not Path("kept").exists()
    assert not clear(Path("kept"))


def test_a_folder_of_the_user_keeps_what_is_in_it() -> None:
    Path("kept").mkdir()
    Path("kept/mine.sqlite").write_text("mine")
    put(a=b"1")
    assert clear(Path("kept"))
    assert [file.name for file in Path("kept").iterdir()] == ["mine.sqlite"]


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(command, [*arguments], env={"TORCHLINT_NO_CACHE": None})
    return result.exit_code, result.stdout, result.stderr


def test_the_command_keeps_what_it_finds_out() -> None:
    write(dict.fromkeys(PROJECT, 0))
    first = run("--output-format", "concise")
    assert first[0] == 1
    assert Path(".torchlint_cache").is_dir()
    assert run("--output-format", "concise")[:2] == first[:2]
    status, _, said = run("--clear-cache")
    assert (status, said) == (0, "torchlint: .torchlint_cache is cleared.\n")
    assert not Path(".torchlint_cache").exists()
    assert run("--clear-cache")[2] == "torchlint: .torchlint_cache holds nothing of torchlint's.\n"


HIDDEN = """\
import torch


class Scale(torch.nn.Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, x):
        return x.mul_(2) if self.inplace else x * 2
"""


def test_what_mends_a_hidden_finding_is_worked_out_once_it_shows() -> None:
    Path("a.py").write_text(HIDDEN)
    assert run("a.py")[0] == 0
    status, written, _ = run("--pedantic", "--output-format", "json", "a.py")
    assert status == 1
    assert [each["fix"]["safety"] for each in json.loads(written)["findings"]] == ["unsafe"]


def test_the_command_does_without_if_asked() -> None:
    write(dict.fromkeys(PROJECT, 0))
    assert run("--no-cache")[0] == 1
    assert run("--cache-dir", "")[0] == 1
    assert not Path(".torchlint_cache").exists()
    assert run("--cache-dir", "elsewhere")[0] == 1
    assert Path("elsewhere").is_dir()
    status, _, said = run("--cache-dir", "elsewhere", "--no-cache")
    assert status == 2
    assert "--cache-dir and --no-cache exclude each other." in said
