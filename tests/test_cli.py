"""The command line: what goes to which stream, with which exit status."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import torchlint.confirm
from torchlint import api, pages, terminal
from torchlint.cli import command
from torchlint.findings import Finding, Level, Place, Status, Verdict
from torchlint.registry import Rule, rules
from torchlint.settings import ConfirmSettings
from torchlint.sources.source import Source

BROKEN = "import torch\nx = = 1\n"
PLACE = "broken.py:2:5"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: one file that Python refuses, one that nothing is wrong with."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    Path("broken.py").write_text(BROKEN)
    Path("fine.py").write_text("import torch\n")
    return tmp_path


def run(*arguments: str, given: str | None = None) -> Result:
    result = CliRunner().invoke(command, arguments, input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.mark.usefixtures("folder")
class TestRun:
    def test_no_path_is_the_current_folder(self) -> None:
        assert run("--output-format", "concise").stdout.startswith(f"{PLACE}: TL001 ")

    def test_findings_give_one(self) -> None:
        result = run(".")
        assert result.exit_code == 1
        assert result.stderr == ""
        assert f"--> {PLACE}" in result.stdout
        assert "Found 1 problem in 1 file." in result.stdout

    def test_none_give_zero(self) -> None:
        result = run("fine.py")
        assert result.exit_code == 0
        assert result.stdout == "Found nothing in 1 file (1 with torch).\n"

    def test_exit_zero(self) -> None:
        assert run("--exit-zero").exit_code == 0
        assert run("--exit-zero", "nowhere").exit_code == 2

    def test_ignore(self) -> None:
        assert run("--ignore", "TL301x,TL001").exit_code == 2
        assert run("--ignore", "TL001, TL002").exit_code == 0
        assert run("--ignore", "TL002", "--ignore", "syntax-error").exit_code == 0

    def test_wrong_use_is_two(self) -> None:
        assert run("--no-such-option").exit_code == 2
        assert run("--output-format", "poetry").exit_code == 2

    def test_json_is_all_there_is_on_standard_output(self) -> None:
        result = run(".", "nowhere", "--output-format", "json")
        data = json.loads(result.stdout)
        assert [finding["code"] for finding in data["findings"]] == ["TL001"]
        assert [error["path"] for error in data["errors"]] == ["nowhere"]
        assert data["summary"]["files"] == 2
        assert "nowhere" in result.stderr
        assert result.exit_code == 2

    def test_standard_input(self) -> None:
        result = run("-", "--output-format", "concise", given=BROKEN)
        assert result.stdout.startswith("stdin.py:2:5: TL001 ")
        named = run("-", "--stdin-filename", "src/a.py", "--output-format", "concise", given=BROKEN)
        assert named.stdout.startswith("src/a.py:2:5: TL001 ")

    def test_show_files(self) -> None:
        result = run("--show-files", "fine.py", ".", "nowhere")
        assert result.stdout == "broken.py\nfine.py\n"
        assert "nowhere: does not exist" in result.stderr
        assert result.exit_code == 2


@pytest.mark.usefixtures("folder")
class TestQuiet:
    @pytest.mark.parametrize("format_name", ["full", "grouped"])
    def test_findings_alone_are_written(self, format_name: str) -> None:
        result = run("-q", "--output-format", format_name)
        assert "TL001" in result.stdout
        assert "Found" not in result.stdout
        assert result.exit_code == 1

    @pytest.mark.parametrize("arguments", [(), ("--statistics",), ("-o", "report.txt")])
    def test_nothing_found_is_nothing_said(self, arguments: tuple[str, ...]) -> None:
        Path("empty").mkdir()
        result = run("--quiet", "fine.py", "empty", *arguments)
        assert (result.output, result.exit_code) == ("", 0)

    def test_errors_are_said(self) -> None:
        assert "nowhere: does not exist" in run("-q", "nowhere").stderr

    def test_fixes_are_made_in_silence(self) -> None:
        Path("broken.py").unlink()
        assert run("-q", "--fix").output == ""
        assert run("--fix").stderr == "torchlint: nothing to fix.\n"


@pytest.mark.usefixtures("folder")
class TestRules:
    def test_list(self) -> None:
        header, *lines = run("--list-rules").stdout.splitlines()
        assert header.split() == ["code", "name", "level", "fix", "confirm", "what"]
        assert [line.split()[0] for line in lines] == list(rules())
        for line, rule in zip(lines, rules().values(), strict=True):
            assert line.split()[1:3] == [rule.name, str(rule.level)]
            assert line.endswith(rule.summary)
            assert line.index(rule.summary) == header.index("what")

    def test_list_for_programs(self) -> None:
        listed = json.loads(run("--list-rules", "--output-format", "json").stdout)
        assert [each["code"] for each in listed] == list(rules())
        of_rule = {each["code"]: each for each in listed}
        assert of_rule["TL002"]["fix"] == "always, safe"
        assert of_rule["TL001"]["fix"] == of_rule["TL001"]["confirm"] == "no"
        assert of_rule["TL214"]["options"] == [option.name for option in rules()["TL214"].options]

    def test_list_in_markdown(self) -> None:
        head, dashes, *rows = run("--list-rules", "--output-format", "markdown").stdout.splitlines()
        assert {row.count(" | ") for row in (head, dashes, *rows)} == {5}
        assert rows[0].startswith(f"| [TL000]({rules()['TL000'].url}) | internal-error |")

    def test_explain_an_option(self) -> None:
        told = run("--explain", "fail-on").stdout
        assert told.startswith("# fail-on\n\nExit with 1 for findings of this severity")
        assert "on the command line `--fail-on`" in told
        assert 'Default: `"note"`.' in told
        assert 'fail-on = "error"' in told
        assert "did you mean severity?" in run("--explain", "severty").stderr
        assert "Default: `{}`." in run("--explain", "severity").stdout
        object_ = json.loads(run("--explain", "src", "--output-format", "json").stdout)
        assert (object_["flag"], object_["default"]) == ("", "the current folder")

    def test_explain_for_programs(self) -> None:
        told = json.loads(run("--explain", "tl001", "--output-format", "json").stdout)
        assert told["name"] == "syntax-error"
        assert told["page"] == pages.page(rules()["TL001"])
        raw = run("--explain", "TL001", "--output-format", "markdown")
        assert raw.stdout == told["page"]

    def test_findings_have_formats_that_rules_have_not(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        result = run("--explain", "TL001", "--output-format", "sarif")
        assert "rules have no sarif format; these they have: full, json" in result.stderr
        assert result.exit_code == 2
        monkeypatch.setenv("TORCHLINT_OUTPUT_FORMAT", "sarif")
        assert run("--explain", "TL001").stdout == pages.page(rules()["TL001"])

    def test_no_configuration_is_in_the_way(self) -> None:
        Path("torchlint.toml").write_text("nonsense = 1\n")
        assert run("--list-rules").exit_code == 0

    def test_what_the_pages_say_of_experiments_is_so(self) -> None:
        from torchlint.confirm.runner.experiments import EXPERIMENTS

        confirmed = {code for code, rule in rules().items() if pages.facts(rule)[1] != "no"}
        # An experiment may be there to say why nothing is shown.
        assert confirmed <= EXPERIMENTS.keys()

    @pytest.mark.parametrize("selector", ["TL001", "tl001", "syntax-error"])
    def test_explain(self, selector: str) -> None:
        result = run("--explain", selector)
        assert result.stdout == pages.page(rules()["TL001"])
        assert result.exit_code == 0

    def test_explain_the_unknown(self) -> None:
        result = run("--explain", "sintax-error")
        assert "did you mean TL001 (syntax-error)?" in result.stderr
        assert result.exit_code == 2

    def test_a_page_is_found_in_the_package_too(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "rules").mkdir()
        (tmp_path / "rules" / rules()["TL001"].page).write_text("# packaged\n")
        monkeypatch.setattr(pages, "files", lambda package: tmp_path)
        assert pages.page(rules()["TL001"]) == "# packaged\n"
        assert rules()["TL002"].summary in pages.page(rules()["TL002"])


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class TestTerminal:
    @pytest.mark.parametrize(
        ("variables", "on_terminal", "elsewhere"),
        [
            ({}, True, False),
            ({"NO_COLOR": "1"}, False, False),
            ({"FORCE_COLOR": "1"}, True, True),
            ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
            ({"NO_COLOR": ""}, True, False),
            ({"TERM": "dumb"}, False, False),
        ],
    )
    def test_colors(
        self,
        monkeypatch: pytest.MonkeyPatch,
        variables: dict[str, str],
        on_terminal: bool,
        elsewhere: bool,
    ) -> None:
        for name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in ({"TERM": "xterm"} | variables).items():
            monkeypatch.setenv(name, value)
        assert terminal.style(Terminal()).color is on_terminal
        assert terminal.style(io.StringIO()).color is elsewhere

    def test_a_choice_has_the_last_word(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("NO_COLOR", "1")
        assert terminal.style(io.StringIO(), terminal.Color.ALWAYS).color
        assert not terminal.style(Terminal(), terminal.Color.AUTO).color
        monkeypatch.setenv("NO_COLOR", "")
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert not terminal.style(Terminal(), terminal.Color.NEVER).color

    @pytest.mark.usefixtures("folder")
    def test_the_option_is_such_a_choice(self) -> None:
        assert "\x1b[" in run("--color", "always").stdout
        assert "\x1b[" not in run("--color", "never").stdout
        assert run("--color", "sometimes").exit_code == 2

    def test_lines_are_cut_on_a_terminal_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "91")
        assert terminal.style(Terminal()).width == 91
        assert terminal.style(io.StringIO()).width is None

    def test_markdown_is_laid_out_on_a_terminal_only(self) -> None:
        laid_out, raw = Terminal(), io.StringIO()
        for out in (laid_out, raw):
            terminal.print_markdown("# Why\n\nIt *is*.\n", out, terminal.style(out))
        assert raw.getvalue() == "# Why\n\nIt *is*.\n"
        assert "Why" in laid_out.getvalue()
        assert "# Why" not in laid_out.getvalue()

    def test_the_bar_waits_a_second(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = 0.0
        monkeypatch.setattr(terminal.time, "monotonic", lambda: now)
        monkeypatch.setenv("TERM", "xterm")
        out = Terminal()
        with terminal.Bar(out) as bar:
            bar("Reading", 1, 9)
            assert out.getvalue() == ""
            now = 1.1
            bar("Analysing", 2, 9)
            bar("Analysing", 3, 9)
        assert "Analysing" in out.getvalue()

    def test_there_is_no_bar_in_a_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        out = io.StringIO()
        with terminal.Bar(out) as bar:
            now = time.monotonic()
            monkeypatch.setattr(terminal.time, "monotonic", lambda: now + 60)
            bar("Reading", 1, 9)
        assert out.getvalue() == ""


SHOWN = Verdict(Status.CONFIRMED, "it was seen", "", "cpu", 0.5)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine of one rule, which flags the first line of every file."""
    rule = Rule(
        "TL999", "first-line", Level.CORRECTNESS, "A line.", question=lambda trace: iter(())
    )
    monkeypatch.setitem(rules(), rule.code, rule)

    def analyse(sources: Sequence[Source], *_: object) -> Iterator[Finding]:
        for source in sources:
            place = Place(source.path, 1, 1, 1, 7)
            yield Finding(rule.code, rule.name, rule.level, "a first line", place)

    monkeypatch.setattr("torchlint.engine.analyse", analyse)


@pytest.mark.usefixtures("folder", "engine")
class TestConfirm:
    @pytest.fixture
    def asked(self, monkeypatch: pytest.MonkeyPatch) -> list[ConfirmSettings]:
        """What confirm was asked to do; it confirms everything."""
        asked = []

        def confirm(
            findings: Sequence[Finding],
            settings: ConfirmSettings,
            on_verdict: Callable[[Finding], None],
            on_enforced: Callable[[tuple[str, ...]], None],
            programs: object,
            elsewhere: object,
        ) -> list[Finding]:
            asked.append(settings)
            judged = [replace(finding, verdict=SHOWN) for finding in findings]
            for finding in judged:
                on_verdict(finding)
            on_enforced(("wall time 30 s", "network (namespace)"))
            return judged

        monkeypatch.setattr(torchlint.confirm, "confirm", confirm)
        return asked

    def test_nothing_is_run_unless_asked(self, asked: list[ConfirmSettings]) -> None:
        assert run("fine.py").stderr == ""
        assert not asked

    def test_it_says_that_it_runs_code_and_where(self, asked: list[ConfirmSettings]) -> None:
        result = run("fine.py", "--confirm", "--python", sys.executable, "--device", "cuda")
        assert result.stderr.count("--confirm runs the flagged code") == 1
        assert sys.executable in result.stderr
        assert "this was enforced: wall time 30 s, network (namespace)." in result.stdout
        assert "enforced" not in result.stderr
        assert [(each.python, each.device) for each in asked] == [(sys.executable, "cuda")]

    def test_it_says_what_was_enforced_where_the_format_does_not(
        self, asked: list[ConfirmSettings]
    ) -> None:
        result = run("fine.py", "--confirm", "--output-format", "concise")
        assert "this was enforced: wall time 30 s, network (namespace)." in result.stderr
        result = run("fine.py", "--confirm", "--output-file", "report.txt")
        assert "this was enforced: wall time 30 s, network (namespace)." in result.stderr

    def test_the_verdict_is_in_the_report(self, asked: list[ConfirmSettings]) -> None:
        result = run(".", "--confirm")
        assert "confirmed by running it (cpu, 0.5 s): it was seen" in result.stdout
        assert "Found 2 problems in 2 files: 2 confirmed." in result.stdout
        assert result.exit_code == 1

    def test_code_from_standard_input_is_not_run(self, asked: list[ConfirmSettings]) -> None:
        result = run("-", "--confirm", "--output-format", "json", given="import torch\n")
        (finding,) = json.loads(result.stdout)["findings"]
        assert finding["verdict"]["status"] == "inconclusive"
        assert "standard input" in finding["verdict"]["reason"]

    def test_an_interpreter_that_is_not_there(self, asked: list[ConfirmSettings]) -> None:
        result = run("--confirm", "--python", "/no/python")
        assert "there is no such interpreter" in result.stderr
        assert result.exit_code == 2
        assert not asked

    def test_an_interpreter_that_cannot_run_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def confirm(*_: object) -> None:
            raise torchlint.confirm.SandboxError("python has no torch")

        monkeypatch.setattr(torchlint.confirm, "confirm", confirm)
        result = run("fine.py", "--confirm")
        assert "torchlint: error: --confirm: python has no torch" in result.stderr
        assert "Found 1 problem in 1 file." in result.stdout
        assert result.exit_code == 2


@pytest.mark.usefixtures("folder", "engine")
def test_only_what_was_named_is_reported() -> None:
    Path("user.py").write_text("import torch, fine\n")
    lines = run("user.py", "--output-format", "concise").stdout.splitlines()
    assert lines == ["user.py:1:1: TL999 a first line"]


@pytest.mark.usefixtures("folder", "engine")
class TestFingerprints:
    def fingerprints(self, text: str, path: str = "a.py") -> list[str]:
        report = api.check(["-"], stdin=api.Stdin(f"{text}import torch\n".encode(), path))
        return [finding.fingerprint for finding in report.findings]

    def test_they_depend_on_code_and_path_and_not_on_layout(self) -> None:
        (plain,) = self.fingerprints("f(x ,y)\n")
        assert self.fingerprints("f( x,y)\n") == [plain]
        assert self.fingerprints("f(x ,z)\n") != [plain]
        assert self.fingerprints("f(x ,y)\n", "b.py") != [plain]

    def test_equals_are_told_apart(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def twice(sources: Sequence[Source], *_: object) -> Iterator[Finding]:
            for line in (1, 2):
                place = Place(sources[0].path, line, 1, line, 3)
                yield Finding("TL999", "first-line", Level.CORRECTNESS, "", place)

        monkeypatch.setattr("torchlint.engine.analyse", twice)
        first, second = self.fingerprints("f()\nf()\n")
        assert first != second


def start(*arguments: str, **options: object) -> subprocess.Popen[str]:
    executable = [sys.executable, "-m", "torchlint", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(executable, **{**pipes, **options})  # type: ignore[call-overload]


def is_gone(group: int) -> bool:
    """Whether the last process of a group ends within seconds."""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(os.name == "nt", reason="other signals there")
class TestEndings:
    def test_a_closed_pipe(self, folder: Path) -> None:
        Path("many").mkdir()
        for number in range(400):
            Path(f"many/a_rather_long_name_of_a_file_{number}.py").write_text(BROKEN)
        process = start(".")
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        process.stderr.close()
        assert process.wait() == 1

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="nothing is always full here")
    @pytest.mark.parametrize(
        "arguments", [(), ("--output-format", "json"), ("--list-rules",), ("--show-settings",)]
    )
    def test_a_full_disk(self, folder: Path, arguments: tuple[str, ...]) -> None:
        with open("/dev/full", "w") as full:
            process = start(*arguments, stdout=full)
            said = process.communicate()[1]
        assert said == (
            "torchlint: error: standard output cannot be written: no space left on device.\n"
        )
        assert process.returncode == 2

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="nothing is always full here")
    def test_a_full_disk_for_all_that_is_said(self, folder: Path) -> None:
        with open("/dev/full", "w") as full:
            process = start("broken.py", stdout=full, stderr=full)
            assert process.wait() == 2

    def test_ctrl_c(self, folder: Path) -> None:
        # Who is started in the background ignores the signal, and so does what it starts.
        heard = signal.signal(signal.SIGINT, signal.default_int_handler)
        process = start("-", stdin=subprocess.PIPE)
        signal.signal(signal.SIGINT, heard)
        assert process.stdin is not None
        process.stdin.write("x = 1\n" * 50_000)  # more than fits a pipe: now it reads
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        assert process.returncode == 130
        assert (out + err).strip() == ""  # click ends the line of the ^C

    def test_sigterm(self, folder: Path) -> None:
        text = "import torch\n" + "def f(x):\n    x += 1\n    x.sum().backward()\n" * 3_000
        for number in range(40):
            Path(f"a{number}.py").write_text(text)
        before = os.listdir()
        process = start(".", "--jobs", "2", "--fix", start_new_session=True)
        time.sleep(1.5)
        process.terminate()
        out, err = process.communicate(timeout=10)
        assert (process.returncode, out, err) == (128 + signal.SIGTERM, "", "")
        assert {name for name in os.listdir() if name not in before} == set()
        assert all(Path(f"a{number}.py").read_text() == text for number in range(40))
        assert is_gone(process.pid)

    @pytest.mark.skipif(sys.platform != "linux", reason="it works alone there")
    def test_sigkill(self, folder: Path) -> None:
        text = "import torch\n" + "def f(x):\n    x += 1\n    x.sum().backward()\n" * 3_000
        for number in range(40):
            Path(f"a{number}.py").write_text(text)
        process = start(".", "--jobs", "2", start_new_session=True)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while len(children.read_text().split()) < 2:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.communicate(timeout=20)  # Their ends of the pipes are closed as well.
        assert is_gone(process.pid)

    def test_output_that_cannot_hold_the_characters(self, folder: Path) -> None:
        Path("名.py").write_text(BROKEN)
        environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
        process = start("名.py", env=environment)
        out, err = process.communicate()
        assert "\\u540d.py:2:5" in out
        assert err == ""
