"""Bad input gets a sentence, never a traceback, and the other files are still checked."""

from __future__ import annotations

import codecs
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from torchlint import run
from torchlint.cli import command
from torchlint.sources import reading
from torchlint.sources.syntax import syntax_error

# Python refuses it, so a run that checks it says so.
OTHER = "import torch\nx = = 1\n"
CHECKED = "other.py:2:5: TL001"

Lint = Callable[..., Result]


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lint:
    """Lints the folder, which holds one other file, or the arguments."""
    monkeypatch.chdir(tmp_path)
    Path("other.py").write_text(OTHER)

    def run(*arguments: str) -> Result:
        options = ["--output-format", "concise", *(arguments or ["."])]
        result = CliRunner().invoke(command, options)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "Traceback" not in result.output
        return result

    return run


def sentence(result: Result, name: str) -> str:
    """The only line that speaks of the file; that the other file was checked."""
    assert CHECKED in result.output
    (line,) = [line for line in result.output.splitlines() if name in line]
    return line


def test_a_missing_path(lint: Lint) -> None:
    result = lint("nowhere", "other.py")
    assert "torchlint: error: nowhere: does not exist" in sentence(result, "nowhere")
    assert result.stdout.startswith(CHECKED)
    assert result.exit_code == 2


def test_a_folder_without_python(lint: Lint) -> None:
    Path("empty").mkdir()
    result = lint("empty")
    assert result.stderr == "torchlint: warning: no Python files found under empty\n"
    assert result.stdout == ""
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("data", "place", "said"),
    [
        (b"import torch\nx = '\xe9'\n", "2:6", "not UTF-8 (byte 0xe9 here); save it as UTF-8"),
        (b"# caf\xe9\nimport torch\n", "1:6", "not UTF-8 (byte 0xe9 here)"),
        ("x = '🔥é'\n".encode()[:-4] + b"\xe9", "1:7", "not UTF-8"),
        (b"# coding: ascii\r\n\r\n'\xe9'", "3:2", "the file is not ascii"),
        (b"# coding: klingon\n", "1:1", "unknown encoding: klingon"),
        (b"# coding: rot13\n", "1:1", "encoding that the file declares cannot be used"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "1:1", "cannot be used"),
        (b"import torch\n\x7fELF\0\1", "2:5", "not a text file: it contains a zero byte"),
        (codecs.BOM_UTF16_LE + "x = 1\n".encode("utf-16-le"), "1:4", "encoded as UTF-16"),
    ],
)
def test_bytes_that_are_not_text(lint: Lint, data: bytes, place: str, said: str) -> None:
    Path("odd.py").write_bytes(data)
    result = lint()
    line = sentence(result, "odd.py")
    assert line.startswith(f"odd.py:{place}: TL001 ")
    assert said in line
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("import torch\ndef f(:\n", "2:7"),
        ("import torch\nx = (1,\n", "2:5"),
        ("import torch\nx = '''\n", "2:5"),
        ("import torch\nif x:\n", "2"),
        ("import torch\r\n\r\n  x = 1\r\n", "3"),
        ("import torch\rx = '🔥' +\r", "2:10"),
    ],
)
def test_a_syntax_error(lint: Lint, code: str, place: str) -> None:
    Path("odd.py").write_text(code, "utf-8", newline="")
    result = lint()
    line = sentence(result, "odd.py")
    assert line.startswith(f"odd.py:{place}:")
    assert "TL001 cannot be read as Python 3" in line
    assert result.exit_code == 1


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="Python reads it")
@pytest.mark.parametrize("code", ['print(f"{run["loss"]}")\n', "print(f'{\"a\\\\b\":4}')\n"])
def test_an_f_string_of_a_later_python(lint: Lint, code: str) -> None:
    Path("odd.py").write_text(f"import torch\n{code}", "utf-8", newline="")
    line = sentence(lint(), "odd.py")
    assert "TL001 cannot be read as Python 3" in line
    assert "Python 3.12 takes any quotes" in line


@pytest.mark.parametrize(
    ("since", "code", "said"),
    [
        ((3, 12), "type Batch = tuple[int, int]", "Python 3.12 has type statements and parameters"),
        ((3, 12), "class Model[T]: pass", "Python 3.12 has type statements and parameters"),
        ((3, 12), "async def f[T](x): pass", "Python 3.12 has type statements and parameters"),
        ((3, 14), "x = t'{x}'", "Python 3.14 has template strings"),
        ((3, 14), "x = f(a, Rt'{x}')", "Python 3.14 has template strings"),
        (
            (3, 14),
            "try: f()\nexcept KeyError, ValueError: pass",
            "multiple exception types must be parenthesized; Python 3.14 takes them as they are",
        ),
    ],
)
def test_syntax_of_a_later_python(lint: Lint, since: tuple[int, int], code: str, said: str) -> None:
    Path("odd.py").write_text(f"import torch\n{code}\n")
    Path("good.py").write_text("import torch\ntorch.symeig(x)\n")
    result = lint()
    assert "good.py:2:1: TL901" in result.stdout
    if sys.version_info >= since:
        assert "odd.py" not in result.stdout
    else:
        line = sentence(result, "odd.py")
        assert "TL001 cannot be read as Python 3" in line
        assert line.endswith(said)


@pytest.mark.parametrize(
    "code",
    [
        'print "loss", x',
        "print x",
        "exec 'x'",
        "raise ValueError, 'x'",
        pytest.param(
            "try: f()\nexcept ValueError, error: pass",
            marks=pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python reads it"),
        ),
        "if a <> b: pass",
        "x = ur'x'",
    ],
)
def test_python_2(lint: Lint, code: str) -> None:
    Path("odd.py").write_text(f"import torch\n{code}\n")
    line = sentence(lint(), "odd.py")
    assert "TL001 this is Python 2 (`" in line
    assert line.endswith("torchlint reads Python 3")


@pytest.mark.parametrize("code", ["x = x.cuda(async=True)", "def f(x, async = True): pass"])
def test_async_is_no_argument(lint: Lint, code: str) -> None:
    Path("odd.py").write_text(f"import torch\n{code}\n")
    line = sentence(lint(), "odd.py")
    assert line.endswith("torch calls the argument `non_blocking`")


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "=======", ">>>>>>> tuning"])
def test_an_unfinished_merge(lint: Lint, mark: str) -> None:
    Path("odd.py").write_text(f"import torch\n{mark}\nx = 1\n")
    assert sentence(lint(), "odd.py").endswith("one side is to be kept")


@pytest.mark.parametrize("command", ["!nvidia-smi", "%matplotlib inline", "  !pip install x"])
def test_a_command_for_ipython(lint: Lint, command: str) -> None:
    Path("odd.py").write_text(f"import torch\nif torch:\n    pass\n{command}\n")
    assert sentence(lint(), "odd.py").endswith("notebooks have it, Python does not")


DEEP = 400


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "(" * DEEP + ")" * DEEP,
        "x = " + "[" * DEEP + "]" * DEEP,
        "\n".join("    " * level + "if x:" for level in range(DEEP)) + "\n" + "    " * DEEP + "y",
        "\n".join(" " * level + "for x in y:" for level in range(DEEP)) + "\n" + " " * DEEP + "y",
        "x = " + "-" * 100 * DEEP + "1",
    ],
    ids=["parentheses", "brackets", "ifs", "loops", "signs"],
)
def test_nested_too_deeply(lint: Lint, code: str) -> None:
    Path("odd.py").write_text(f"import torch\n{code}\n")
    assert "TL001 the code is nested too deeply" in sentence(lint(), "odd.py")


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "f(" * 90 + ")" * 90,
        "x = " + "1 + " * DEEP + "1",
        "x = a" + ".b" * DEEP,
        "if a: pass\n" + "elif a: pass\n" * DEEP,
        "x = " + "not " * DEEP + "a",
        "x = " + "lambda: " * DEEP + "a",
    ],
    ids=["calls", "sum", "attributes", "elifs", "nots", "lambdas"],
)
def test_deep_code_that_python_takes_is_taken(lint: Lint, code: str) -> None:
    Path("odd.py").write_text(f"import torch\n{code}\n")
    result = lint()
    assert "odd.py" not in result.output
    assert CHECKED in result.output


def test_five_megabytes(lint: Lint) -> None:
    Path("odd.py").write_text("import torch\n" + "x = [1, 2, 3]\n" * 360_000)
    result = lint()
    assert sentence(result, "odd.py") == (
        "torchlint: error: odd.py: is 5.0 MB long and was left out; "
        "torchlint reads files of up to 1.5 MB"
    )
    assert result.exit_code == 1


@pytest.mark.parametrize("named", [True, False])
def test_a_dangling_link(lint: Lint, named: bool) -> None:
    Path("odd.py").symlink_to("gone.py")
    result = lint(*(["odd.py", "other.py"] if named else []))
    assert "is a link to gone.py, which does not exist" in sentence(result, "odd.py")
    assert result.exit_code == 1


@pytest.mark.parametrize("named", [True, False])
def test_a_link_in_a_circle(lint: Lint, named: bool) -> None:
    Path("odd.py").symlink_to("round.py")
    Path("round.py").symlink_to("odd.py")
    result = lint(*(["odd.py", "other.py"] if named else []))
    assert "odd.py: is a link that leads back to itself" in sentence(result, "odd.py")
    assert result.exit_code == 1


def test_a_folder_that_links_to_itself(lint: Lint) -> None:
    Path("deep").mkdir()
    Path("deep/again").symlink_to("..", target_is_directory=True)
    assert lint().output.count(CHECKED) == 1


@pytest.fixture
def forbid(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Takes away the permission to read; from root too, which no mode bits hold back."""

    def forbid(path: str) -> None:
        os.chmod(path, 0)
        if not os.access(path, os.R_OK):
            return

        def guarded(real: Callable[..., object]) -> Callable[..., object]:
            def call(file: str | Path, *rest: object, **named: object) -> object:
                if os.path.basename(file) == path:
                    raise PermissionError(13, "Permission denied", path)
                return real(file, *rest, **named)

            return call

        monkeypatch.setattr(reading, "open", guarded(open), raising=False)
        monkeypatch.setattr(os, "scandir", guarded(os.scandir))

    return forbid


def test_an_unreadable_file(lint: Lint, forbid: Callable[[str], None]) -> None:
    Path("odd.py").write_text("import torch\n")
    forbid("odd.py")
    result = lint()
    said = "torchlint: error: odd.py: cannot be read: permission denied"
    assert sentence(result, "odd.py") == said
    assert result.exit_code == 1


def test_an_unreadable_folder(lint: Lint, forbid: Callable[[str], None]) -> None:
    Path("closed").mkdir()
    forbid("closed")
    result = lint()
    said = "torchlint: error: closed: cannot be read: permission denied"
    assert sentence(result, "closed") == said
    assert result.exit_code == 1
    os.chmod("closed", 0o700)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_does_not_block(lint: Lint) -> None:
    os.mkfifo("odd.py")
    assert "is not a regular file" in sentence(lint("odd.py", "other.py"), "odd.py")


def test_a_folder_called_like_a_file(lint: Lint) -> None:
    Path("odd.py").mkdir()
    Path("odd.py/inside.py").write_text(OTHER)
    assert "odd.py/inside.py:2:5: TL001" in sentence(lint(), "odd.py")


def test_a_file_that_vanishes_is_passed_over(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("odd.py").write_text("import torch\n")

    def read_too_late(found: reading.Found) -> object:
        Path("odd.py").unlink(missing_ok=True)
        return reading.read(found)

    monkeypatch.setattr(run, "read", read_too_late)
    assert "cannot be read: no such file" in sentence(lint("odd.py", "other.py"), "odd.py")


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_unknown_code(lint: Lint, option: str) -> None:
    result = lint(option, "TL01,TL0001", ".")
    assert result.stdout == ""
    assert f"'TL0001' in {option} is no rule" in result.stderr
    assert "did you mean TL001 (syntax-error)?" in result.stderr
    assert result.exit_code == 2


def test_a_failure_of_the_engine_is_a_sentence(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError("oh")

    monkeypatch.setattr("torchlint.engine.analyse", broken)
    result = lint()
    assert (
        result.stderr
        == "torchlint: error: torchlint failed: RuntimeError: oh; please report this\n"
    )
    assert result.exit_code == 2


def test_bad_input_in_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_bytes(b"import torch\nx = '\xe9'\n")
    (tmp_path / "deep.py").write_text("import torch\nx = " + "(" * DEEP + ")" * DEEP)
    (tmp_path / "other.py").write_text(OTHER)
    arguments = [sys.executable, "-m", "torchlint", ".", "nowhere"]
    result = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True)
    assert "Traceback" not in result.stdout + result.stderr
    assert result.stdout.count("TL001 syntax-error: ") == 3
    assert "nowhere: does not exist" in result.stderr
    assert result.returncode == 2


@pytest.mark.parametrize(
    ("line", "column", "end_line", "end_column", "expected"),
    [
        (None, None, None, None, (1, 1, 2)),
        (0, 0, 0, 0, (1, 1, 2)),
        (1, -1, 1, -1, (1, 1, 2)),
        (1, 3, 1, 5, (1, 3, 5)),
        (1, 3, 1, 3, (1, 3, 4)),
        (1, 3, 2, 1, (1, 3, 4)),
        (1, 99, 1, 120, (1, 8, 8)),
        (9, 2, 9, 3, (3, 1, 1)),
    ],
)
def test_a_parsers_position_is_moved_into_the_text(
    line: int | None,
    column: int | None,
    end_line: int | None,
    end_column: int | None,
    expected: tuple[int, int, int],
) -> None:
    error = SyntaxError("wrong", ("a.py", line, column, "", end_line, end_column))
    place = syntax_error("a.py", "abc = 1\nx\n", error).place
    assert (place.line, place.column, place.end_column) == expected
    assert place.end_line == place.line
