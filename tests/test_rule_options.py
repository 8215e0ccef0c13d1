"""Options of single rules: which findings stand by them, and what is said of mistakes in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft7Validator

from torchlint.cli import command
from torchlint.config import schema
from torchlint.registry import rules
from torchlint.ruleoptions import Limit, Names, Words

TRAIN = """\
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.{optimizer}(model.parameters(), lr={rate})
for x in torch.randn(16, 4).split(4):
    optimizer.zero_grad()
    model(x).pow(2).mean().backward()
    optimizer.step()
"""
PRIVATE = """\
import torch
from torch.utils.data._utils.collate import default_collate
from torch._C import Generator
from torch._Cold import x
"""

Write = Callable[[dict[str, str]], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Makes files in the working directory."""
    monkeypatch.chdir(tmp_path)

    def make(texts: dict[str, str]) -> None:
        for name, text in texts.items():
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text(text)

    return make


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(command, ["--output-format", "concise", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def found(*arguments: str) -> list[str]:
    """File and line of what is found."""
    result = run(*arguments)
    assert result.exit_code < 2, result.stderr
    return [":".join(line.split(":")[:2]) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("optimizer", "rate", "options", "stands"),
    [
        ("Adam", 0.2, "", True),
        ("Adam", 0.2, "largest = 0.5", False),
        ("Adam", 0.2, "largest-of-others = 5", True),
        ("Adam", 0.2, "largest = 0.2", False),
        ("Adam", 2, "largest = 5", True),
        ("SGD", 2, "", True),
        ("SGD", 2, "largest = 5", True),
        ("SGD", 2, "largest-of-others = 5", False),
        ("SGD", 1, "", False),
    ],
)
def test_a_limit(write: Write, optimizer: str, rate: float, options: str, stands: bool) -> None:
    write({"a.py": TRAIN.format(optimizer=optimizer, rate=rate)})
    write({"torchlint.toml": f'select = ["TL214"]\n[rules.learning-rate]\n{options}\n'})
    assert found() == ["a.py:6"] * stands
    assert found() == ["a.py:6"] * stands  # as it was kept


def test_names(write: Write) -> None:
    write({"a.py": PRIVATE})
    assert found("--select", "TL904") == ["a.py:2", "a.py:3", "a.py:4"]
    allow = 'rules.TL904.allow=["torch._C", "torch.utils.data._utils"]'
    assert found("--select", "TL904", "--config", allow) == ["a.py:4"]


def test_words(write: Write) -> None:
    write(
        {
            "a.py": TRAIN.format(optimizer="SGD", rate=0.1).replace(
                "torch.randn(16, 4).split(4)",
                "torch.utils.data.DataLoader(torch.randn(16, 4), batch_size=4, shuffle=True)",
            )
        }
    )
    assert found("--select", "TL605") == ["a.py:7"]
    assert found("--select", "TL605", "--config", 'rules.TL605.wants=["pin_memory"]') == []


def test_they_differ_from_file_to_file(write: Write) -> None:
    write({"one/a.py": PRIVATE, "two/a.py": PRIVATE})
    write({"torchlint.toml": 'select = ["TL904"]\nrules.TL904.allow = ["torch"]\n'})
    write({"two/torchlint.toml": 'extend = "../torchlint.toml"\n[rules.TL904]\nallow = []\n'})
    assert found() == ["two/a.py:2", "two/a.py:3", "two/a.py:4"]
    inline = 'rules.private-api.allow=["torch._C"]'
    assert found("--config", inline, "two") == ["two/a.py:2", "two/a.py:4"]


def test_settings_show_them(write: Write) -> None:
    write({"torchlint.toml": "[rules.TL214]\nlargest = 0.5\n"})
    lines = run("--show-settings").stdout.splitlines()
    assert "rules.TL214.largest = 0.5  # torchlint.toml:1" in lines
    assert "rules.TL904.allow = []  # default" in lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules = 3", "torchlint.toml:1: rules must be a table from rules to tables of their opt"),
        ("[rules]\nTL214 = 3", "torchlint.toml:2: rules.TL214 must be a table, not 3."),
        (
            "[rules.TL214]\nlargets = 3",
            "torchlint.toml:2: rules.TL214: there is no option largets; did you mean largest?",
        ),
        (
            "[rules.TL214]\nlargest = true",
            "torchlint.toml:1: rules.TL214.largest must be a number from 0.1, not true.",
        ),
        (
            "[rules.TL214]\nlargest = 0.01",
            "torchlint.toml:2: rules.TL214.largest must be a number from 0.1, not 0.01.",
        ),
        (
            "[rules.TL214]\nlargest = nan",
            "torchlint.toml:2: rules.TL214.largest must be a number from 0.1, not nan.",
        ),
        (
            '[rules.TL605]\nwants = ["coffee"]',
            'torchlint.toml:2: rules.TL605.wants must be "num_workers", "pin_memory" or '
            '"persistent_workers", not "coffee".',
        ),
        (
            '[rules.TL904]\nallow = ["torch._C.*"]',
            "torchlint.toml:2: rules.TL904.allow must be a name, with dots in it, not",
        ),
        ("[rules.TL301]", "torchlint.toml:1: rules: TL301 has no options; these have some: TL214"),
        ("[rules.TL2l4]\nlargest = 1", "torchlint.toml:1: 'TL2l4' in rules is no rule; did you"),
    ],
)
def test_mistakes(write: Write, text: str, said: str) -> None:
    write({"torchlint.toml": text + "\n", "a.py": ""})
    result = run()
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"torchlint: error: {said}")


def test_the_schema_knows_them() -> None:
    validator = Draft7Validator(json.loads(schema.text()))
    assert validator.is_valid({"rules": {"TL214": {"largest": 1}, "private-api": {"allow": ["a"]}}})
    for wrong in ({"TL301": {}}, {"TL214": {"largest": 0.01}}, {"TL605": {"wants": ["tea"]}}):
        assert not validator.is_valid({"rules": wrong})


def test_what_stands() -> None:
    assert Limit("a", 1.0, "").stands(1.0, 1.5)
    assert not Limit("a", 1.0, "").stands(1.5, 1.5)
    assert Words("a", ("x", "y"), "").stands(("x",), "x")
    assert not Words("a", ("x", "y"), "").stands((), "x")
    assert Names("a", "").stands(("a.b",), "a.bc")
    assert not Names("a", "").stands(("a.b",), "a.b.c")


def test_names_of_options_are_unique_and_speak() -> None:
    for rule in rules().values():
        names = [option.name for option in rule.options]
        assert len(set(names)) == len(names)
        assert all(option.text and option.text[0].islower() for option in rule.options)
