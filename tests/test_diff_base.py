"""``--diff-base``: what was there at another commit is not reported, wherever it is now."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from torchlint.cli import command

HEAD = """\
import torch
from torch import nn

model = nn.Linear(4, 2)
x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
"""
LOSS = "loss = nn.functional.cross_entropy(model(x).softmax(1), y)\n"
OTHER = "other = nn.functional.cross_entropy(torch.softmax(model(x), 1), y)\n"

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)
"""
TRAIN = """\
import torch
from net import Net

net = Net()
loss = torch.nn.functional.cross_entropy(net(torch.randn(8, 4)), torch.randint(0, 2, (8,)))
"""

Write = Callable[[dict[str, str]], None]


def git(*arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


def commit(*arguments: str) -> None:
    git("add", "-A")
    git("commit", "--allow-empty", "-m", "a", *arguments)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Makes files in the working directory, which is a repository with a branch main."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    git("init", "-b", "main")

    def make(texts: dict[str, str]) -> None:
        for name, text in texts.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text)

    return make


def run(*arguments: str, given: str | None = None) -> Result:
    options = ("--output-format", "concise", *arguments)
    result = CliRunner().invoke(command, options, input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def new(*arguments: str, base: str = "HEAD", given: str | None = None) -> list[str]:
    """File and line of what is reported."""
    result = run("--diff-base", base, *arguments, given=given)
    assert result.stderr == ""
    assert result.exit_code == int(bool(result.stdout))
    return [":".join(line.split(":")[:2]) for line in result.stdout.splitlines()]


def test_what_was_there_is_not_reported(write: Write) -> None:
    write({"a.py": HEAD + LOSS})
    commit()
    write({"a.py": "# more\n" + HEAD + "\n" + LOSS + OTHER, "b.py": HEAD + LOSS})
    before = sorted(Path().rglob("*"))
    assert new() == ["a.py:9", "b.py:6"]
    assert sorted(Path().rglob("*")) == before
    result = run("--diff-base", "HEAD", "--output-format", "full")
    fixable = "2 fixable with --fix --unsafe-fixes"
    known = "1 known from before left out"
    assert f"Found 2 problems in 2 files; {fixable}; {known}." in result.stdout


def test_nothing_changed(write: Write) -> None:
    write({"a.py": HEAD + LOSS + LOSS})
    commit()
    assert new() == []


def test_equal_ones_are_counted(write: Write) -> None:
    write({"a.py": HEAD + LOSS})
    commit()
    write({"a.py": HEAD + LOSS + LOSS})
    assert new() == ["a.py:7"]


@pytest.mark.parametrize("name", ["b.py", "deep/er/b.py"])
def test_a_file_gets_another_name(write: Write, name: str) -> None:
    write({"a.py": HEAD + LOSS, "c.py": HEAD + LOSS})
    commit()
    write({name: "# more\n" + HEAD + LOSS + OTHER})
    os.remove("a.py")
    assert new() == [f"{name}:8"]
    assert new(name) == [f"{name}:7", f"{name}:8"]


def test_a_folder_and_what_is_left_out(write: Write) -> None:
    write({"src/a.py": HEAD + LOSS, "src/build/b.py": HEAD + OTHER})
    commit()
    write({"src/c.py": HEAD + LOSS, "src/d.py": HEAD + OTHER})
    os.remove("src/a.py")
    os.remove("src/build/b.py")
    assert new("src") == ["src/d.py:6"]


def test_where_the_histories_part(write: Write) -> None:
    write({"a.py": HEAD + LOSS})
    commit()
    git("checkout", "-b", "topic")
    write({"b.py": HEAD + OTHER})
    commit()
    git("checkout", "main")
    write({"a.py": HEAD})
    commit()
    git("checkout", "topic")
    assert new(base="main") == ["b.py:6"]
    assert new(base="main~1") == ["b.py:6"]


def test_a_change_elsewhere_brings_it_in(write: Write) -> None:
    write({"net.py": NET, "train.py": TRAIN, "sub/x.txt": ""})
    commit()
    assert new() == []
    write({"net.py": NET.replace("self.layer(x)", "self.layer(x).softmax(1)")})
    assert new() == ["train.py:5"]
    assert new("train.py") == ["train.py:5"]
    commit()
    write({"train.py": "\n" + TRAIN})
    assert new() == []
    assert new("train.py") == []


def test_from_a_folder_within(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"pkg/a.py": HEAD + LOSS, "b.py": HEAD + LOSS})
    commit()
    write({"pkg/a.py": HEAD + LOSS + OTHER, "pkg/new/c.py": HEAD + LOSS})
    monkeypatch.chdir("pkg")
    assert new() == ["a.py:7", "new/c.py:6"]
    assert new("../b.py") == []
    assert new(os.path.abspath("a.py")) == ["a.py:7"]
    monkeypatch.chdir("new")
    assert new("../..") == ["c.py:6", "../a.py:7"] or new("../..") == ["../a.py:7", "c.py:6"]


def test_todays_settings_hold_for_both(write: Write) -> None:
    write({"a.py": HEAD + LOSS, "tests/b.py": HEAD + LOSS, "torchlint.toml": 'ignore = ["ALL"]\n'})
    commit()
    write({"torchlint.toml": 'per-file-ignores = {"/tests/" = ["TL301"]}\n'})
    assert new() == []
    write({"tests/b.py": HEAD + LOSS + OTHER})
    assert new() == []
    os.remove("torchlint.toml")
    assert new() == ["tests/b.py:7"]


def test_a_comment_that_goes_brings_it_in(write: Write) -> None:
    write({"a.py": HEAD + LOSS.replace("\n", "  # torchlint: ignore[TL301]\n")})
    commit()
    write({"a.py": HEAD + LOSS})
    assert new() == ["a.py:6"]


def test_what_was_hidden_was_there(write: Write) -> None:
    write({"a.py": "import torch\nx = 1  # torchlint: ignore[TL001]\n"})
    commit()
    assert new("--pedantic") == []


def test_standard_input(write: Write) -> None:
    write({"a.py": HEAD + LOSS})
    commit()
    assert new("-", "--stdin-filename", "a.py", given=HEAD + LOSS + OTHER) == ["a.py:7"]


def test_fixes_are_for_what_is_new(write: Write) -> None:
    write({"a.py": HEAD + LOSS})
    commit()
    write({"a.py": HEAD + LOSS + OTHER})
    run("--diff-base", "HEAD", "--add-ignore")
    ignored = OTHER.replace("\n", "  # torchlint: ignore[TL301]\n")
    assert Path("a.py").read_text() == HEAD + LOSS + ignored


def test_histories_that_share_nothing(write: Write) -> None:
    write({"a.py": HEAD + LOSS})
    commit()
    git("checkout", "--orphan", "other")
    write({"a.py": HEAD + LOSS + OTHER})
    commit()
    result = run("--diff-base", "main")
    assert result.stdout.startswith("a.py:7:")
    assert result.stderr == (
        "torchlint: warning: --diff-base main has no commit in common with HEAD here, "
        "so it is compared with as it is\n"
    )


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("mian", "--diff-base mian: there is no such commit; did you mean main?"),
        ("0123456789", "--diff-base 0123456789: there is no such commit; git fetch may bring it"),
        ("--help", "--diff-base --help: there is no such commit"),
        ("HEAD:a.py", "--diff-base HEAD:a.py: there is no such commit"),
        ("", "--diff-base : there is no such commit"),
    ],
)
def test_a_ref_that_is_none(write: Write, ref: str, said: str) -> None:
    write({"a.py": HEAD})
    commit()
    result = run(f"--diff-base={ref}")
    assert result.stderr.startswith(f"torchlint: error: {said}")
    assert result.stderr.count("\n") == 1
    assert result.exit_code == 2


def test_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.fspath(tmp_path.parent))
    Path("a.py").write_text(HEAD)
    result = run("--diff-base", "main")
    assert result.stderr.startswith(
        "torchlint: error: --diff-base main: git says: not a git repository"
    )
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_no_git(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a.py": HEAD})
    monkeypatch.setenv("PATH", "")
    result = run("--diff-base", "main")
    assert "--diff-base needs git, which cannot be run: no such file" in result.stderr
    assert result.exit_code == 2


def test_no_baseline_is_written_from_a_difference(write: Write) -> None:
    result = run("--diff-base", "main", "--write-baseline")
    assert "--diff-base and --write-baseline exclude each other." in result.stderr
    assert result.exit_code == 2
