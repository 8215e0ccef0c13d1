"""Files that reports are written to: whole or not at all, and refused before the work is done."""

from __future__ import annotations

import errno
import json
import os
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from everything import everything, rendered

from torchlint import api, outputs, reports
from torchlint.cli import command
from torchlint.findings import Report
from torchlint.outputs import Output, deliver
from torchlint.reports import Style

BROKEN = "import torch\nx = = 1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("broken.py").write_text(BROKEN)
    return tmp_path


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(command, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_a_file_in_place_of_standard_output() -> None:
    shown = run("broken.py", "--output-format", "concise")
    result = run("broken.py", "--output-format", "concise", "-o", "out.txt")
    assert Path("out.txt").read_text() == shown.stdout
    assert result.stdout == ""
    assert result.stderr == "torchlint: Found 1 problem in 1 file.\n"
    assert result.exit_code == 1


def test_several_outputs_in_one_run() -> None:
    result = run(
        *("broken.py", "--output-format", "concise"),
        *("--output", "sarif=a.sarif", "--output", "json=b=c.json"),
    )
    assert result.stdout == run("broken.py", "--output-format", "concise").stdout
    assert json.loads(Path("a.sarif").read_bytes())["version"] == "2.1.0"
    assert len(json.loads(Path("b=c.json").read_bytes())["findings"]) == 1
    assert result.stderr == ""


def test_a_dash_is_standard_output() -> None:
    assert run("broken.py", "-o", "-").stdout == run("broken.py").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-o", "no/where.txt"), "there is no folder"),
        (("-o", "."), "it is a folder"),
        (("-o", "a", "--output", "json=./a"), "a is named for 2 outputs."),
        (("--output", "json"), "--output json names no file, as in json=FILE"),
        (("--output", "json="), "names no file"),
        (("--output", "poetry=a"), "'poetry' is none of the formats azure, concise"),
        (("--statistics", "--output-format", "junit"), "--statistics has no junit format"),
    ],
)
def test_refused_before_the_run(
    arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "check", lambda *_, **__: pytest.fail("it ran"))
    result = run("broken.py", *arguments)
    assert said in result.stderr
    assert result.exit_code == 2
    assert os.listdir() == ["broken.py"]


def test_a_full_disk_leaves_the_file_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out.txt").write_text("before")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(outputs.os, "replace", full)
    result = run("broken.py", "-o", "out.txt", "--output", "json=out.json")
    assert "error: out.txt: could not be written (No space left on device)" in result.stderr
    assert "error: out.json: could not be written" in result.stderr
    assert result.exit_code == 2
    assert Path("out.txt").read_text() == "before"
    assert sorted(os.listdir()) == ["broken.py", "out.txt"]


@pytest.mark.skipif(os.name == "nt", reason="other modes and links there")
class TestFiles:
    def write(self, name: str, report: Report | None = None) -> None:
        written = everything() if report is None else report
        assert deliver(written, [Output("grouped", name)], Style()) == []

    def test_modes(self) -> None:
        mask = os.umask(0o027)
        try:
            self.write("new")
        finally:
            os.umask(mask)
        assert Path("new").stat().st_mode & 0o777 == 0o640
        Path("new").chmod(0o604)
        self.write("new")
        assert Path("new").stat().st_mode & 0o777 == 0o604

    def test_a_link_stays_one(self) -> None:
        Path("target").write_text("before")
        Path("link").symlink_to("target")
        self.write("link")
        assert Path("link").is_symlink()
        assert Path("target").read_text("utf-8") == rendered(everything(), "grouped")

    def test_a_pipe_is_written_to(self) -> None:
        os.mkfifo("pipe")
        read: list[str] = []
        reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text("utf-8")))
        reader.start()
        self.write("pipe")
        reader.join(10)
        assert read == [rendered(everything(), "grouped")]
        self.write(os.devnull)
        assert not Path(os.devnull).is_file()


class TestStatistics:
    def test_lines(self) -> None:
        lines = run("broken.py", "--statistics").stdout.splitlines()
        assert lines == ["1  TL001 [ ] syntax-error", "Found 1 problem in 1 file."]

    def test_the_most_frequent_first(self, capsys: pytest.CaptureFixture[str]) -> None:
        findings = everything().findings
        report = Report(findings=(*findings, *findings[2:4], findings[2]))
        deliver(report, [Output("full", statistics=True)], Style())
        lines = capsys.readouterr().out.splitlines()
        assert lines[:2] == [
            "3  TL105 [*] backward-without-graph",
            "2  TL801 [ ] graph-kept-by-append",
        ]
        assert "[*] all have a fix, [-] some do" in lines

    def test_json(self) -> None:
        result = run("broken.py", "--statistics", "--output-format", "json")
        assert json.loads(result.stdout) == [
            {
                "code": "TL001",
                "name": "syntax-error",
                "count": 1,
                "fixable": 0,
                "confirmed": 0,
            }
        ]

    def test_further_outputs_say_it_all(self) -> None:
        run("broken.py", "--statistics", "--output", "concise=a.txt")
        assert Path("a.txt").read_text().startswith("broken.py:2:5: TL001 ")

    def test_each_format_that_counts(self) -> None:
        for name in reports.COUNTING:
            assert run("broken.py", "--statistics", "--output-format", name).exit_code == 1
