"""``--add-ignore``: comments are written for what was found, are honoured, and change no code."""

from __future__ import annotations

import ast
import os
import shutil
import stat
from pathlib import Path

import pytest
from cases import FIXTURES
from click.testing import CliRunner, Result

from torchlint import api
from torchlint.cli import command
from torchlint.findings import Level
from torchlint.settings import Settings

WRONG = """\
import torch
from torch import nn

model = nn.Linear(4, 2)
x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
loss = nn.functional.cross_entropy(model(x).softmax(1), y)
loss.backward()
"""
LINE = "loss = nn.functional.cross_entropy(model(x).softmax(1), y)"
OURS = "# torchlint: ignore[TL301]"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(WRONG)
    return tmp_path


def run(*arguments: str, given: bytes | None = None) -> Result:
    options = ("--select", "TL301", "--output-format", "concise", *arguments)
    result = CliRunner().invoke(command, options, input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_comments_are_written_and_honoured() -> None:
    result = run("--add-ignore")
    assert Path("a.py").read_text() == WRONG.replace(LINE, f"{LINE}  {OURS}")
    assert result.stdout == ""
    assert result.stderr == "torchlint: ignored 1 problem in 1 file.\n"
    assert result.exit_code == 0
    assert run().exit_code == 0


def test_a_second_run_changes_nothing() -> None:
    run("--add-ignore", "--reason", "one")
    before = Path("a.py").read_bytes()
    result = run("--add-ignore", "--reason", "another")
    assert Path("a.py").read_bytes() == before
    assert result.stderr == "torchlint: nothing to ignore.\n"
    assert result.exit_code == 0


def test_a_reason() -> None:
    run("--add-ignore", "--reason", " the targets are soft, see #12 ")
    assert f"{LINE}  {OURS} the targets are soft, see #12\n" in Path("a.py").read_text()
    assert run().exit_code == 0


def test_a_diff_writes_nothing() -> None:
    result = run("--add-ignore", "--diff")
    assert Path("a.py").read_text() == WRONG
    assert f"+{LINE}  {OURS}\n" in result.stdout
    assert result.stderr == "torchlint: would ignore 1 problem in 1 file.\n"
    assert result.exit_code == 1


def test_standard_input_goes_to_standard_output() -> None:
    data = WRONG.replace("\n", "\r\n").encode()
    result = run("-", "--add-ignore", given=data)
    assert result.stdout_bytes == data.replace(LINE.encode(), f"{LINE}  {OURS}".encode())
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("first", "encoding", "newline"),
    [
        ("\ufeff", "utf-8", "\r\n"),
        ("# -*- coding: latin-1 -*-\n# é\n", "latin-1", "\n"),
        ("", "utf-8", "\r"),
    ],
)
def test_all_else_of_a_file_stays(first: str, encoding: str, newline: str) -> None:
    text = (first + WRONG).replace("\n", newline).rstrip(newline)
    Path("a.py").write_bytes(text.encode(encoding))
    os.chmod("a.py", 0o640)
    run("--add-ignore")
    expected = text.replace(LINE, f"{LINE}  {OURS}").encode(encoding)
    assert Path("a.py").read_bytes() == expected
    assert stat.S_IMODE(os.stat("a.py").st_mode) == 0o640


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{LINE}  # noqa: E501", f"{LINE}  # noqa: E501  {OURS}"),
        (f"{LINE}  # why", f"{LINE}  # why  {OURS}"),
        (
            f"{LINE}  # torchlint: ignore[TL302] soft",
            f"{LINE}  # torchlint: ignore[TL302, TL301] soft",
        ),
        (f"{LINE}  # torchlint: ignore[]", f"{LINE}  {OURS}"),
        (f"{LINE}  # torchlint: ignore", f"{LINE}  # torchlint: ignore  {OURS}"),
        (
            f"{LINE}  # torchlint: off[TL302]",
            f"{LINE}  # torchlint: off[TL302]  {OURS}",
        ),
        (
            "loss = 0 + \\\n    nn.functional.cross_entropy(model(x).softmax(1), y) + \\\n    0",
            f"{OURS}\nloss = 0 + \\\n    nn.functional.cross_entropy(model(x).softmax(1), y)"
            " + \\\n    0",
        ),
        (
            "# torchlint: ignore[TL302] soft\nloss = 0 + \\\n"
            "    nn.functional.cross_entropy(model(x).softmax(1), y) + \\\n    0",
            "# torchlint: ignore[TL302, TL301] soft\nloss = 0 + \\\n"
            "    nn.functional.cross_entropy(model(x).softmax(1), y) + \\\n    0",
        ),
        (
            "loss = nn.functional.cross_entropy(\n    model(x).softmax(1),\n    y,\n)",
            f"loss = nn.functional.cross_entropy(  {OURS}\n    model(x).softmax(1),\n    y,\n)",
        ),
        (
            "loss = nn.functional.cross_entropy(model(x).softmax(1), y); done = '''\n'''",
            f"{OURS}\nloss = nn.functional.cross_entropy(model(x).softmax(1), y); done = '''\n'''",
        ),
    ],
)
def test_what_is_there_already_is_kept(before: str, after: str) -> None:
    Path("a.py").write_text(WRONG.replace(LINE, before))
    assert run().exit_code == 1
    run("--add-ignore")
    assert Path("a.py").read_text() == WRONG.replace(LINE, after)
    assert run().exit_code == 0


def test_what_no_comment_suppresses_is_left() -> None:
    Path("b.py").write_text("import torch\nx = = 1\n")
    result = run("--add-ignore")
    assert result.stdout.startswith("b.py:2:5: TL001 ")
    assert result.stderr == "torchlint: ignored 1 problem in 1 file.\n"
    assert Path("b.py").read_text() == "import torch\nx = = 1\n"
    assert result.exit_code == 1


def test_a_reason_that_the_file_cannot_spell() -> None:
    data = ("# coding: latin-1\n" + WRONG).encode("latin-1")
    Path("a.py").write_bytes(data)
    result = run("--add-ignore", "--reason", "так надо")
    assert Path("a.py").read_bytes() == data
    assert "error: a.py: cannot be written as iso-8859-1" in result.stderr
    assert "nothing to ignore" in result.stderr
    assert result.exit_code == 1


def test_a_file_that_is_read_only() -> None:
    os.chmod("a.py", 0o444)
    result = run("--add-ignore")
    assert Path("a.py").read_text() == WRONG
    assert "error: a.py: is read-only, and is as it was\n" in result.stderr
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--reason", "x"), "--reason is for --add-ignore."),
        (("--add-ignore", "--reason", "a\nb"), "--reason must be a text of one line."),
        (("--add-ignore", "--fix"), "--fix and --add-ignore exclude each other."),
        (("--add-ignore", "--confirm"), "--confirm and --add-ignore exclude each other."),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert said in result.stderr
    assert result.exit_code == 2
    assert Path("a.py").read_text() == WRONG


@pytest.mark.parametrize("folder", ["demo", pytest.param("losses", marks=pytest.mark.slow)])
def test_all_that_is_found_in_the_fixtures_can_be_ignored(folder: str, here: Path) -> None:
    os.remove("a.py")
    shutil.copytree(FIXTURES / folder, here / "code")
    before = {path: path.read_text("utf-8") for path in here.rglob("*.py")}
    settings = Settings(level=Level.PEDANTIC, ignore=("TL002", "TL003"))
    report, patches = api.ignore(["code"], settings)
    assert patches
    assert not [each for each in report.findings if each.code != "TL001"]
    assert report.troubles == ()
    for path, text in before.items():
        if text != path.read_text("utf-8"):
            assert ast.dump(ast.parse(path.read_text("utf-8"))) == ast.dump(ast.parse(text))
    assert api.ignore(["code"], settings)[1] == ()
