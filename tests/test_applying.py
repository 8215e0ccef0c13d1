"""Fixes are applied in rounds, and files are written whole or not at all."""

from __future__ import annotations

import ast
import errno
import os
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from torchlint import api
from torchlint.api import Fixing, Stdin
from torchlint.applying import files, rounds
from torchlint.applying.changes import apply, touch
from torchlint.cli import command
from torchlint.findings import Edit, Finding, Fix, Level, Place, Report, Safety
from torchlint.fingerprints import with_fingerprints
from torchlint.located import Look
from torchlint.settings import Settings
from torchlint.sources.lines import newline, split
from torchlint.sources.source import Source

FIXTURES = Path(__file__).parents[1] / "fixtures"

# The argument goes, and the line below stays as it is.
WRONG = """\
import torch
from torch import nn

model = nn.Linear(4, 2)
x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
loss = nn.functional.cross_entropy(model(x).softmax(1), y)  # é
loss.backward()
"""
RIGHT = WRONG.replace(".softmax(1)", "")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fixed(*paths: str, unsafe: bool = True, write: bool = True) -> Report:
    return api.fix(paths or (".",), Settings(), Fixing(unsafe, write))[0]


class TestChanges:
    def test_edits_of_one_place_keep_their_order(self) -> None:
        at = Place("a.py", 1, 2, 1, 2)
        edits = [Edit(at, "1"), Edit(at, "2"), Edit(Place("a.py", 1, 2, 1, 3), "B")]
        assert apply("abc", edits) == "a12Bc"

    def test_lines_may_end_in_any_way(self) -> None:
        text = "a\r\nb\rc\nd"
        edits = [Edit(Place("a.py", line, 1, line, 2), "x") for line in range(1, 5)]
        assert apply(text, edits) == "x\r\nx\rx\nx"
        assert [newline(text, line) for line in range(1, 5)] == ["\r\n", "\r", "\n", "\n"]
        assert newline("a", 1) == "\n"

    def test_what_borders_touches(self) -> None:
        one, other = Place("a.py", 1, 1, 1, 4), Place("a.py", 1, 4, 1, 4)
        assert touch(one, other)
        assert touch(other, one)
        assert not touch(one, Place("a.py", 1, 5, 1, 6))
        assert not touch(one, Place("b.py", 1, 4, 1, 4))


WORDS = {"one": "two", "two": "three", "red": "blue", "up": "down", "down": "up", "bad": "("}


def finds(text: str, words: Mapping[str, str] = WORDS) -> Iterator[Finding]:
    """A finding for each of the words, with a fix that puts another in its place."""
    for number, line in enumerate(split(text), 1):
        for word, new in words.items():
            column = line.find(word) + 1
            if column:
                place = Place("a.py", number, column, number, column + len(word))
                fix = Fix("Replace", Safety.SAFE, (Edit(place, new),))
                yield Finding("TL301", "name", Level.CORRECTNESS, word, place, fix=fix)


def linter(text: str) -> Callable[[Mapping[str, str]], Look]:
    def lint(texts: Mapping[str, str]) -> Look:
        now = texts.get("a.py", text)
        findings = tuple(with_fingerprints(finds(now), {"a.py": split(now)}))
        return Look(Report(findings), {"a.py": Source("a.py", Path("a.py"), now)})

    return lint


class TestRounds:
    def test_what_a_fix_gives_rise_to_is_fixed_too(self) -> None:
        done = rounds.fix(linter("one\nred\n"), lambda fix: True)
        assert done.before == {"a.py": "one\nred\n"}
        assert done.texts == {"a.py": "three\nblue\n"}
        assert len(done.findings) == 3
        assert done.look.report.findings == ()

    def test_of_two_that_touch_the_second_waits(self) -> None:
        done = rounds.fix(linter("redone\n"), lambda fix: True)
        assert done.texts == {"a.py": "bluethree\n"}

    def test_those_that_undo_one_another_end(self) -> None:
        done = rounds.fix(linter("up\n"), lambda fix: True)
        assert done.texts == {"a.py": "up\n"}
        assert done.warnings == ("after 10 rounds there is still more to fix; run it again",)

    def test_none_is_wanted(self) -> None:
        done = rounds.fix(linter("one\n"), lambda fix: False)
        assert done.texts == {}
        assert len(done.look.report.findings) == 1

    def test_code_that_would_not_parse_is_not_left(self) -> None:
        done = rounds.fix(linter("one\nbad\nred\n"), lambda fix: True)
        assert done.texts == {"a.py": "three\nbad\nblue\n"}
        (trouble,) = done.broken.values()
        assert trouble.fatal
        assert trouble.path == "a.py"
        assert trouble.message.startswith("the fix of TL301 in line 2 would leave code that")
        assert [finding.message for finding in done.look.report.findings] == ["bad"]

    def test_a_file_that_was_not_to_be_looked_at_stays(self) -> None:
        def lint(texts: Mapping[str, str]) -> Look:
            source = Source("a.py", Path("a.py"), "one", reported=False)
            return Look(Report(tuple(finds("one"))), {"a.py": source})

        assert rounds.fix(lint, lambda fix: True).texts == {}


class TestFiles:
    @pytest.mark.parametrize(
        ("encoding", "head"),
        [
            ("utf-8", ""),
            ("utf-8-sig", ""),
            ("latin-1", "# -*- coding: latin-1 -*-\n"),
            ("cp1252", "#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\n"),
        ],
    )
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_all_else_stays(self, encoding: str, head: str, end: str) -> None:
        file = Path("a.py")
        file.write_bytes((head + WRONG.replace("\n", end)).encode(encoding))
        file.chmod(0o751)
        report = fixed()
        assert report.exit_status == 0
        assert [finding.code for finding in report.fixed] == ["TL301"]
        assert file.read_bytes() == (head + RIGHT.replace("\n", end)).encode(encoding)
        assert stat.S_IMODE(file.stat().st_mode) == 0o751
        assert os.listdir() == ["a.py"]

    def test_mixed_newlines_and_no_last_one(self) -> None:
        wrong, right = (
            text.replace("\n", "\r\n", 3).replace("nn\n", "nn\r").rstrip()
            for text in (WRONG, RIGHT)
        )
        Path("a.py").write_bytes(wrong.encode())
        fixed()
        assert Path("a.py").read_bytes() == right.encode()

    def test_a_link_stays_a_link(self) -> None:
        Path("there").mkdir()
        Path("there/a.txt").write_text(WRONG)
        Path("a.py").symlink_to("there/a.txt")
        fixed("a.py")
        assert Path("a.py").is_symlink()
        assert Path("there/a.txt").read_text() == RIGHT
        assert os.listdir("there") == ["a.txt"]

    def test_a_second_run_writes_nothing(self) -> None:
        Path("a.py").write_text(WRONG)
        fixed()
        before = Path("a.py").stat()
        assert fixed().fixed == ()
        assert Path("a.py").stat() == before

    def test_nothing_is_written_when_it_is_only_shown(self) -> None:
        Path("a.py").write_text(WRONG)
        report, patches = api.fix(["."], Settings(), Fixing(unsafe=True, write=False))
        assert Path("a.py").read_text() == WRONG
        assert [patch.after.decode() for patch in patches] == [RIGHT]
        assert len(report.fixed) == 1

    def test_code_from_standard_input(self) -> None:
        stdin = Stdin(WRONG.encode(), "a.py")
        report, patches = api.fix(["-"], Settings(), Fixing(unsafe=True), stdin=stdin)
        assert [patch.after.decode() for patch in patches] == [RIGHT]
        assert report.exit_status == 0
        assert os.listdir() == []

    def test_unsafe_ones_are_asked_for(self) -> None:
        Path("a.py").write_text(WRONG + "loss.item()  # torchlint: ignore[TL201]\n")
        settings = Settings(level=Level.PEDANTIC)
        report, _ = api.fix(["."], settings, Fixing())
        assert [finding.code for finding in report.fixed] == ["TL002"]
        assert [finding.code for finding in report.findings] == ["TL301"]
        assert Path("a.py").read_text() == WRONG + "loss.item()\n"
        report, _ = api.fix(["."], settings, Fixing(unsafe=True))
        assert [finding.code for finding in report.fixed] == ["TL301"]
        assert Path("a.py").read_text() == RIGHT + "loss.item()\n"


class TestTrouble:
    """Each leaves the file as it was, and nothing beside it, and the findings in the report."""

    def assert_left(self, report: Report, sentence: str) -> None:
        assert [(each.path, each.message) for each in report.troubles] == [("a.py", sentence)]
        assert [finding.code for finding in report.findings] == ["TL301"]
        assert report.fixed == ()
        assert report.exit_status == 1
        assert Path("a.py").read_text() == WRONG
        assert os.listdir() == ["a.py"]

    @pytest.fixture(autouse=True)
    def wrong(self) -> None:
        Path("a.py").write_text(WRONG)

    def test_a_read_only_file(self) -> None:
        Path("a.py").chmod(0o444)
        self.assert_left(fixed(), "is read-only, and is as it was")

    def test_a_full_disk(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(descriptor: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "fsync", fail)
        self.assert_left(fixed(), "cannot be written (no space left on device), and is as it was")

    def test_a_folder_in_which_nothing_can_be_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*arguments: object, **named: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(files.tempfile, "mkstemp", fail)
        self.assert_left(fixed(), "cannot be written (permission denied), and is as it was")

    def test_somebody_else_writes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real = files.write

        def late(file: Path, patch: files.Patch) -> None:
            file.write_text(WRONG + "# new\n")
            real(file, patch)

        monkeypatch.setattr(files, "write", late)
        (trouble,) = fixed().troubles
        assert trouble.message.startswith("was changed while torchlint ran")
        assert Path("a.py").read_text() == WRONG + "# new\n"
        assert os.listdir() == ["a.py"]

    @pytest.mark.parametrize("step", ["fsync", "replace"])
    def test_an_interruption(self, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupt(*arguments: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(os, step, interrupt)
        with pytest.raises(KeyboardInterrupt):
            fixed()
        assert Path("a.py").read_text() == WRONG
        assert os.listdir() == ["a.py"]

    def test_one_file_does_not_keep_the_others(self) -> None:
        Path("a.py").chmod(0o444)
        Path("b.py").write_text(WRONG)
        report = fixed()
        assert [finding.place.path for finding in report.fixed] == ["b.py"]
        assert [finding.place.path for finding in report.findings] == ["a.py"]
        assert Path("b.py").read_text() == RIGHT

    def test_an_encoding_that_cannot_be_written_back(self) -> None:
        data = "# coding: utf-7\nx = '+AGE-'\n".encode("ascii")
        with pytest.raises(files.NotWrittenError, match="as utf-7 without other changes"):
            files.patch("a.py", data, data.decode("utf-7"), "# coding: utf-7\n")

    def test_a_letter_that_the_encoding_lacks(self) -> None:
        data = b"# coding: ascii\n"
        with pytest.raises(files.NotWrittenError, match="as ascii without other changes"):
            files.patch("a.py", data, data.decode(), "# coding: ascii\n# \u00e9\n")


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch to read it")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("cut", [0, 1])
def test_patch_reads_the_diff(end: str, encoding: str, cut: int) -> None:
    head = "# coding: latin-1\n" if encoding == "latin-1" else ""
    before, after = (
        (head + text)[: -cut or None].replace("\n", end).encode(encoding) for text in (WRONG, RIGHT)
    )
    Path("a.py").write_bytes(before)
    diff = b"".join(files.Patch("a.py", before, after).diff())
    subprocess.run(["patch", "--binary", "-p0"], input=diff, check=True, stdout=subprocess.DEVNULL)
    assert Path("a.py").read_bytes() == after


class TestCommand:
    """What goes to which stream, with which exit status."""

    @pytest.fixture(autouse=True)
    def wrong(self) -> None:
        Path("a.py").write_text(WRONG)

    def run(self, *arguments: str, given: str | None = None) -> Result:
        result = CliRunner().invoke(command, arguments, input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    def test_fix_reports_what_is_left(self) -> None:
        result = self.run("--fix", "--output-format", "concise")
        assert result.stdout.startswith("a.py:6:")
        assert result.stderr == "torchlint: nothing to fix.\n"
        assert result.exit_code == 1
        result = self.run("--fix", "--unsafe-fixes", "--output-format", "concise")
        assert result.stdout == ""
        assert result.stderr == "torchlint: fixed 1 problem in 1 file.\n"
        assert result.exit_code == 0
        assert Path("a.py").read_text() == RIGHT

    def test_diff_writes_nothing(self) -> None:
        result = self.run("--diff", "--unsafe-fixes")
        assert result.stdout.startswith("--- a.py\n+++ a.py\n@@ -3,5 +3,5 @@\n")
        assert result.stderr == "torchlint: would fix 1 problem in 1 file.\n"
        assert result.exit_code == 1
        assert Path("a.py").read_text() == WRONG
        none = self.run("--diff")
        assert (none.stdout, none.exit_code) == ("", 0)

    def test_fix_only_says_nothing_of_the_rest(self) -> None:
        result = self.run("--fix-only")
        assert (result.stdout, result.exit_code) == ("", 0)
        Path("a.py").chmod(0o444)
        result = self.run("--fix-only", "--unsafe-fixes")
        assert "error: a.py: is read-only, and is as it was\n" in result.stderr
        assert result.exit_code == 1

    def test_standard_input_comes_back(self) -> None:
        result = self.run("-", "--fix", given=WRONG)
        assert result.stdout == WRONG
        assert "stdin.py:6:" in result.stderr
        assert result.exit_code == 1
        result = self.run("-", "--fix", "--unsafe-fixes", given=WRONG)
        assert result.stdout == RIGHT
        assert result.exit_code == 0
        result = self.run("-", "--fix", given="import torch\nx = = 1\n")
        assert result.stdout == "import torch\nx = = 1\n"
        assert result.exit_code == 1

    def test_a_diff_runs_nothing(self) -> None:
        result = self.run("--diff", "--confirm")
        assert "--confirm and --diff exclude each other" in result.stderr
        assert result.exit_code == 2


CASES = sorted(FIXTURES.glob("*/*/*"))
GROUPS = sorted({case.parent for case in CASES if case.parent.parent.name != "run"})


@pytest.mark.slow
@pytest.mark.parametrize("folder", GROUPS, ids=lambda folder: folder.name)
def test_fixed_code_parses_and_stays(folder: Path, here: Path) -> None:
    """All cases of a rule at once, unsafe fixes too: each change is one that a fix has made."""
    for case in sorted(folder.iterdir()):
        copy = shutil.copytree if case.is_dir() else shutil.copy
        copy(case, here / case.name)
    before = {file: file.read_bytes() for file in here.rglob("*.py")}
    report, patches = api.fix(["."], Settings(level=Level.PEDANTIC), Fixing(unsafe=True))
    assert not report.troubles
    assert not report.warnings
    touched = {Path(patch.path).resolve() for patch in patches}
    assert touched == {Path(finding.place.path).resolve() for finding in report.fixed}
    for file, data in before.items():
        ast.parse(file.read_bytes())
        assert (file.read_bytes() != data) == (file in touched)
    assert not any(finding.fix for finding in report.findings)
    again, patches = api.fix(["."], Settings(level=Level.PEDANTIC), Fixing(unsafe=True))
    assert not patches
    assert again.findings == report.findings


class TestWhichAndHowSafe:
    """``fixable``, ``unfixable``, ``extend-safe-fixes`` and ``extend-unsafe-fixes``."""

    @pytest.mark.parametrize(
        ("settings", "unsafe", "is_fixed"),
        [
            (Settings(), True, True),
            (Settings(), False, False),
            (Settings(unfixable=("TL301",)), True, False),
            (Settings(unfixable=("TL3",)), True, False),
            (Settings(unfixable=("TL3",), fixable=("TL301",)), True, True),
            (Settings(unfixable=("ALL",)), True, False),
            (Settings(fixable=("TL2",)), True, False),
            (Settings(fixable=("softmax-before-cross-entropy",)), True, True),
            (Settings(extend_safe_fixes=("TL3",)), False, True),
            (Settings(extend_safe_fixes=("TL3",), extend_unsafe_fixes=("TL301",)), False, False),
            (Settings(extend_safe_fixes=("TL301",), extend_unsafe_fixes=("TL3",)), False, True),
            (Settings(extend_safe_fixes=("TL3",), extend_unsafe_fixes=("TL3",)), False, False),
        ],
    )
    def test_the_more_specific_selector_wins(
        self, settings: Settings, unsafe: bool, is_fixed: bool
    ) -> None:
        Path("a.py").write_text(WRONG)
        report, _ = api.fix(["a.py"], settings, Fixing(unsafe))
        assert bool(report.fixed) is is_fixed
        assert Path("a.py").read_text() == (RIGHT if is_fixed else WRONG)

    def test_the_report_says_so(self) -> None:
        Path("a.py").write_text(WRONG)
        (finding,) = api.check(["a.py"], Settings(extend_safe_fixes=("TL301",))).findings
        assert finding.fix is not None
        assert finding.fix.safety is Safety.SAFE
        (finding,) = api.check(["a.py"], Settings(unfixable=("TL301",))).findings
        assert finding.fix is None

    def test_an_unknown_rule(self) -> None:
        result = CliRunner().invoke(command, ["--fix", "--unfixable", "TL3O1"])
        assert "'TL3O1' in --unfixable is no rule" in result.stderr
        assert result.exit_code == 2

    def test_whether_a_fix_fails_the_run(self) -> None:
        for options, status in (((), 1), (("--exit-zero",), 0)):
            Path("a.py").write_text(WRONG)
            given = ("--fix", "--unsafe-fixes", "--exit-non-zero-on-fix", *options)
            assert CliRunner().invoke(command, given).exit_code == status
            assert Path("a.py").read_text() == RIGHT
            assert CliRunner().invoke(command, given).exit_code == 0
