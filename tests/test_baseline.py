"""Baselines: what they list is not reported, wherever its lines are, and what they list in vain."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from torchlint import api
from torchlint.cli import command
from torchlint.settings import Settings

HEAD = """\
import torch
from torch import nn

model = nn.Linear(4, 2)
x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
"""
LOSS = "loss = nn.functional.cross_entropy(model(x).softmax(1), y)\n"
OTHER = "other = nn.functional.cross_entropy(torch.softmax(model(x), 1), y)\n"
BROKEN = "import torch\nx = = 1\n"
FILE = "torchlint-baseline.json"

Write = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Makes files in the working directory."""
    monkeypatch.chdir(tmp_path)

    def make(**texts: str) -> None:
        for name, text in texts.items():
            path = Path(name.replace("__", "/") + ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    return make


def run(*arguments: str) -> Result:
    options = ("--output-format", "concise", *arguments)
    result = CliRunner().invoke(command, options)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def new(*arguments: str) -> list[str]:
    """File and line of what is reported besides the baseline."""
    result = run("--baseline", FILE, *arguments)
    assert result.exit_code == int(bool(result.stdout)), result.stderr
    return [":".join(line.split(":")[:2]) for line in result.stdout.splitlines()]


def listed(file: str = FILE) -> list[tuple[Any, ...]]:
    findings = json.loads(Path(file).read_bytes())["findings"]
    return [(each["path"], each["code"], each["count"]) for each in findings]


class TestKnown:
    def test_what_is_listed_is_not_reported(self, write: Write) -> None:
        write(a=HEAD + LOSS, b=BROKEN)
        assert run().exit_code == 1
        result = run("--write-baseline")
        assert result.exit_code == 0
        assert result.stdout == ""
        assert result.stderr.startswith(f"torchlint: {FILE} lists 2 findings (2 new, 0 gone).\n")
        assert listed() == [("a.py", "TL301", 1), ("b.py", "TL001", 1)]
        assert new() == []
        result = run("--baseline", FILE, "--output-format", "full")
        assert result.stdout == (
            "Found nothing in 2 files (2 with torch); 2 known from before left out.\n"
        )

    def test_lines_may_move_and_be_laid_out_anew(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        run("--write-baseline")
        write(a="# more\n\n" + HEAD + "\n" + LOSS.replace("(model", "(\n    model"))
        assert new() == []

    def test_code_that_changes_is_new(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        run("--write-baseline")
        write(a=HEAD + OTHER)
        assert new() == ["a.py:6"]

    def test_equal_ones_are_counted(self, write: Write) -> None:
        write(a=HEAD + LOSS + LOSS)
        run("--write-baseline")
        assert listed() == [("a.py", "TL301", 2)]
        write(a=HEAD + LOSS + LOSS + LOSS)
        assert new() == ["a.py:8"]

    def test_a_function_is_part_of_it(self, write: Write) -> None:
        inside = "def f():\n    " + LOSS
        write(a=HEAD + inside)
        run("--write-baseline")
        write(a=HEAD + inside + LOSS)
        assert new() == ["a.py:8"]

    def test_a_file_may_get_another_name(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        run("--write-baseline")
        os.rename("a.py", "b.py")
        assert new() == []
        write(c=HEAD + LOSS)
        assert new() == ["c.py:6"]

    def test_a_copy_is_new(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        run("--write-baseline")
        write(b=HEAD + LOSS)
        assert new() == ["b.py:6"]

    def test_what_is_hidden_counts_for_itself(self, write: Write) -> None:
        write(a="import torch\nx = 1  # torchlint: ignore[TL001]\n")
        run("--write-baseline", "--pedantic")
        assert listed() == [("a.py", "TL002", 1)]
        result = run("--baseline", FILE)
        assert result.stderr == ""
        assert new("--pedantic") == []
        run("--baseline", FILE, "--write-baseline")
        assert listed() == [("a.py", "TL002", 1)]

    def test_fixes_leave_it_alone(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        run("--write-baseline")
        run("--baseline", FILE, "--fix", "--unsafe-fixes")
        assert Path("a.py").read_text() == HEAD + LOSS

    def test_a_file_that_is_no_text(self, write: Write) -> None:
        write(b=HEAD)
        Path("a.py").write_bytes(b"import torch\nx = '\xe9'\n")
        run("--write-baseline")
        assert listed() == [("a.py", "TL001", 1)]
        assert new() == []

    def test_a_cell_of_a_notebook(self, write: Write) -> None:
        write()
        cells = [{"cell_type": "code", "source": text, "metadata": {}} for text in (HEAD, LOSS)]
        book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        Path("a.ipynb").write_text(json.dumps(book))
        run("--write-baseline")
        assert listed() == [("a.ipynb", "TL301", 1)]
        cells[1:1] = [dict(cells[0], source="print(x)\n")]
        Path("a.ipynb").write_text(json.dumps(book))
        assert new() == []

    def test_a_failure_of_torchlint_is_never_known(
        self, write: Write, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*given: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr("torchlint.interpreter.roots.run", fail)
        write(a=HEAD + LOSS)
        result = run("--write-baseline")
        assert "TL000" in result.stdout
        assert result.exit_code == 2
        assert listed() == []


class TestFile:
    def test_it_is_sorted_and_stable(self, write: Write) -> None:
        write(b=HEAD + LOSS, a=HEAD + OTHER + LOSS)
        run("--write-baseline")
        text = Path(FILE).read_text()
        (first, *_) = json.loads(text)["findings"]
        lines = text.splitlines()
        assert lines[:3] == ["{", '  "version": 1,', '  "findings": [']
        assert len(lines) == 3 + 3 + 2
        assert json.loads(lines[3].strip().rstrip(",")) == first
        assert first.keys() == {"path", "code", "scope", "digest", "count"}
        stamp = os.stat(FILE).st_mtime_ns
        run("--write-baseline", "b.py", "a.py")
        assert Path(FILE).read_text() == text
        assert os.stat(FILE).st_mtime_ns == stamp

    def test_nothing_is_a_baseline_too(self, write: Write) -> None:
        write(a=HEAD)
        run("--write-baseline")
        assert json.loads(Path(FILE).read_bytes()) == {"version": 1, "findings": []}
        assert new() == []

    def test_paths_are_relative_to_it(self, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
        write(pkg__a=HEAD + LOSS)
        Path("torchlint.toml").write_text('baseline = "ci/base.json"\n')
        Path("ci").mkdir()
        result = run("--write-baseline")
        assert "configuration needs" not in result.stderr
        assert listed("ci/base.json") == [("../pkg/a.py", "TL301", 1)]
        assert run().exit_code == 0
        monkeypatch.chdir("pkg")
        assert run().exit_code == 0
        assert run("a.py", "--baseline", "").exit_code == 1

    def test_folders_may_have_their_own(self, write: Write) -> None:
        write(one__a=HEAD + LOSS, two__b=HEAD + OTHER)
        Path("one/torchlint.toml").write_text('baseline = "base.json"\n')
        Path("two/torchlint.toml").write_text('baseline = "base.json"\n')
        run("--write-baseline")
        assert listed("one/base.json") == [("a.py", "TL301", 1)]
        assert listed("two/base.json") == [("b.py", "TL301", 1)]
        assert not Path(FILE).exists()
        assert run().exit_code == 0

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", f"{FILE}:1: a baseline is JSON, and this is not (expecting value)."),
            ('{\n<<<<<<< HEAD\n"version": 1}', f"{FILE}:2: a baseline is JSON"),
            ("[]", f"{FILE} is no baseline of torchlint; remove it, and --write-baseline makes"),
            ("{}", f"{FILE} is no baseline of torchlint"),
            ('{"version": 1, "findings": [{}]}', f"{FILE} is no baseline of torchlint"),
            ('{"version": 1, "findings": 3}', f"{FILE} is no baseline of torchlint"),
            (
                '{"version": 1, "findings": '
                '[{"path": 1, "code": "a", "scope": "", "digest": "", "count": 1}]}',
                f"{FILE} is no baseline of torchlint",
            ),
            (
                '{"version": 1, "findings": '
                '[{"path": "a", "code": "a", "scope": "", "digest": "", "count": "1"}]}',
                f"{FILE} is no baseline of torchlint",
            ),
            ('{"version": 2}', f"{FILE} is of version 2, and this torchlint reads 1;"),
            (None, f"there is no baseline {FILE}; --write-baseline makes one."),
            (HEAD, f"{FILE}:1: a baseline is JSON"),
        ],
    )
    @pytest.mark.parametrize("option", ["--fix", "--write-baseline", "--prune-baseline"])
    def test_a_bad_one(self, write: Write, option: str, text: str | None, said: str) -> None:
        write(a=HEAD + LOSS)
        if text is not None:
            Path(FILE).write_text(text)
        elif option == "--write-baseline":
            return
        result = run("--baseline", FILE, option)
        assert result.stderr.startswith(f"torchlint: error: {said}")
        assert result.stderr.count("\n") == 1 + (option == "--fix")
        assert result.exit_code == 2
        assert text is None or Path(FILE).read_text() == text
        assert Path("a.py").read_text() == HEAD + LOSS

    def test_a_folder_in_its_place(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        Path(FILE).mkdir()
        result = run("--baseline", FILE)
        assert result.stderr == f"torchlint: error: {FILE} cannot be read: is a directory.\n"
        assert result.exit_code == 2

    def test_it_cannot_be_written(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        result = run("--baseline", "no/such/folder.json", "--write-baseline")
        assert "error: no/such/folder.json: could not be written (No such file" in result.stderr
        assert result.exit_code == 2

    def test_from_the_api(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        api.write_baselines(["a.py"])
        report = api.check(["a.py"], Settings(baseline=os.path.abspath(FILE)))
        assert report.findings == ()
        assert report.summary.known == 1


class TestStale:
    SAID = f"{FILE}%s lists 1 finding that is no longer there (TL301 in a.py); "

    def test_it_is_warned_of(self, write: Write) -> None:
        write(a=HEAD + LOSS, b=HEAD + OTHER)
        run("--write-baseline")
        write(a=HEAD)
        result = run("--baseline", FILE)
        assert result.stderr.startswith("torchlint: warning: " + self.SAID % "")
        assert result.exit_code == 0
        assert run("--baseline", FILE, "--baseline-stale", "ignore").stderr == ""

    def test_it_fails_the_run(self, write: Write) -> None:
        write(a=HEAD + LOSS, b=HEAD + OTHER)
        run("--write-baseline")
        write(a=HEAD)
        Path("torchlint.toml").write_text(f'baseline = "{FILE}"\nbaseline-stale = "error"\n')
        result = run("--fail-on", "error")
        assert result.stderr.startswith("torchlint: error: " + self.SAID % ":")
        assert result.exit_code == 1
        assert run("--exit-zero").exit_code == 0

    def test_it_is_taken_out(self, write: Write) -> None:
        write(a=HEAD + LOSS, b=HEAD + OTHER)
        run("--write-baseline")
        write(a=HEAD, c=HEAD + LOSS)
        result = run("--baseline", FILE, "--prune-baseline")
        assert result.stdout == ""
        assert result.stderr == f"torchlint: {FILE} lists 1 finding (0 new, 1 gone).\n"
        assert result.exit_code == 0
        assert listed() == [("b.py", "TL301", 1)]
        assert new() == ["c.py:6"]

    def test_what_was_not_looked_at_stays(self, write: Write) -> None:
        write(a=HEAD + LOSS, b=HEAD + OTHER)
        run("--write-baseline")
        write(a=HEAD, b=HEAD)
        strict = ("--baseline", FILE, "--baseline-stale", "error")
        assert run("b.py", *strict, "--select", "TL2").exit_code == 0
        assert run("b.py", *strict).exit_code == 1
        run("b.py", "--baseline", FILE, "--write-baseline")
        assert listed() == [("a.py", "TL301", 1)]
        os.remove("a.py")
        assert run("b.py", *strict).exit_code == 1

    def test_a_file_that_cannot_be_analysed_may_still_have_it(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        run("--write-baseline")
        write(a=BROKEN)
        result = run("--baseline", FILE, "--baseline-stale", "error")
        assert "no longer" not in result.stderr
        run("--baseline", FILE, "--prune-baseline")
        assert listed() == [("a.py", "TL301", 1)]

    def test_a_rule_that_there_is_no_more(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        run("--write-baseline")
        Path(FILE).write_text(Path(FILE).read_text().replace("TL301", "TL999"))
        assert "(TL999 in a.py)" in run("--baseline", FILE).stderr

    def test_what_is_ignored_by_a_comment_is_gone(self, write: Write) -> None:
        write(a=HEAD + LOSS)
        run("--write-baseline")
        run("--add-ignore")
        assert "lists 1 finding that is no longer there" in run("--baseline", FILE).stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--write-baseline", "--fix"), "--fix and --write-baseline exclude each other."),
        (("--prune-baseline", "--diff"), "--diff and --prune-baseline exclude each other."),
        (("--write-baseline", "--prune-baseline"), "exclude each other."),
        (("--write-baseline", "--confirm"), "--confirm and --write-baseline exclude each other."),
        (("--write-baseline", "-"), "what comes by standard input is in no baseline."),
        (("--prune-baseline",), "no baseline is named; --baseline FILE does that."),
        (("--baseline-stale", "perhaps"), "'perhaps' is not one of"),
    ],
)
def test_wrong_use(write: Write, arguments: tuple[str, ...], said: str) -> None:
    write(a=HEAD + LOSS)
    result = run(*arguments)
    assert said in result.stderr
    assert result.exit_code == 2
    assert os.listdir() == ["a.py"]
