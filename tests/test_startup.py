"""What a start loads: nothing heavy before there is work for it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from cases import ROOT

LOADED = """
import sys
from torchlint.cli import main
sys.argv = ["torchlint", *{arguments!r}]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
heavy = {heavy!r} & sys.modules.keys()
print("loaded:", *sorted(heavy))
"""


HEAVY = {"libcst", "numpy", "packaging", "pathspec", "rich", "tomllib", "torch"}
INTERPRETER = "torchlint.interpreter.values"
UNUSED = set(
    """
    difflib hashlib json shutil subprocess tempfile torchlint.applying torchlint.baselines
    torchlint.comparing torchlint.config.lines torchlint.config.spelling torchlint.known
    torchlint.registry torchlint.selection torchlint.sifting torchlint.sources.context
    torchlint.sources.suppressions torchlint.suppressing
    """.split()
)
"""What a run that finds nothing to look at has no use for."""


def loaded(
    *arguments: str, folder: Path = ROOT, heavy: set[str] = HEAVY | {INTERPRETER}
) -> list[str]:
    code = LOADED.format(arguments=arguments, heavy=heavy)
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.fspath(ROOT)},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()[-1].split()[1:]


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_a_word_about_itself_loads_nothing(option: str) -> None:
    assert loaded(option) == []


@pytest.mark.parametrize("text", ["", "x = 1\n"])
def test_a_run_with_nothing_to_do_loads_nothing(tmp_path: Path, text: str) -> None:
    if text:
        (tmp_path / "a.py").write_text(text)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    heavy = HEAVY | UNUSED | {INTERPRETER}
    assert loaded("--output-format", "full", folder=tmp_path, heavy=heavy) == []


@pytest.mark.slow
def test_a_run_with_nothing_to_do_takes_less_than_twice_what_click_takes(tmp_path: Path) -> None:
    """Processor time, with bytecode that is there already: the least of many runs in turn."""
    (tmp_path / "a.py").write_text("x = 1\n")
    env = {
        **os.environ,
        "PYTHONPATH": os.fspath(ROOT),
        "PYTHONPYCACHEPREFIX": str(tmp_path / "pyc"),
    }
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    commands = {"click": ["-c", "import click"], "torchlint": ["-m", "torchlint", "a.py"]}
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(30):
        for name, command in commands.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = [sys.executable, *command]
            subprocess.run(run, cwd=tmp_path, env=env, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            least[name] = min(least[name], took)
    assert least["torchlint"] < 2 * least["click"], least


def test_a_run_does_not_import_torch(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("import torch\nloss = torch.nn.functional.cross_entropy(x.softmax(1), y)\n")
    assert "torch" not in loaded("--output-format", "full", "--exit-zero", str(file))


def test_version_is_the_packages() -> None:
    from torchlint import __version__

    command = [sys.executable, "-m", "torchlint", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout == f"torchlint {__version__}\n"
    assert result.stderr == ""


def test_libcst_is_loaded_for_a_repair_alone(tmp_path: Path) -> None:
    clean, wrong = tmp_path / "clean.py", tmp_path / "wrong.py"
    made = "import torch\nx = torch.nn.Linear(2, 3)(torch.randn(4, 2))\ny = torch.arange(4) % 3\n"
    loss = made + "loss = torch.nn.functional.cross_entropy({}, y)\nloss.backward()\n"
    clean.write_text(loss.format("x"))
    wrong.write_text(loss.format("x.softmax(1)"))
    options = ("--output-format", "concise", "--exit-zero")
    assert "libcst" not in loaded(*options, str(clean))
    assert "libcst" in loaded(*options, str(wrong))


HIDDEN = """\
import torch


class Scale(torch.nn.Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, x):
        return x.mul_(2) if self.inplace else x * 2
"""


def test_libcst_is_not_loaded_for_a_repair_of_what_is_hidden(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(HIDDEN)
    options = ("--output-format", "concise", "--exit-zero")
    assert "libcst" not in loaded(*options, str(file))
    assert "libcst" in loaded(*options, "--pedantic", str(file))
