"""Markdown: its blocks of Python are one program, in the lines in which they stand."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from torchlint import api
from torchlint.api import Fixing
from torchlint.cli import command
from torchlint.findings import Edit, Place, Report
from torchlint.settings import Settings
from torchlint.sources.reading import Found, decode
from torchlint.sources.source import Source

PAGE = """\
# Training

First the model:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))
```

- Then the loop:

  ```py
  optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
  for x, y in loader:
      loss = nn.functional.cross_entropy(model(x), y)
      loss.backward()
      optimizer.step()
  ```

```python
class Excerpt(nn.Module):
    def forward(self, x):
```
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(text: str) -> Source:
    source = decode(Found("a.md", Path("a.md")), text.encode())
    assert isinstance(source, Source)
    assert source.whole == text
    return source


def lint(text: str) -> Report:
    Path("a.md").write_text(text, "utf-8")
    return api.check(["a.md"], Settings())


def code(text: str) -> list[str]:
    """The lines of code, without those that end a block."""
    return [line for line in read(text).text.split("\n") if line and line != "# %%"]


def test_blocks_are_one_program() -> None:
    report = lint(PAGE)
    places = [(each.code, each.place.line, each.place.column) for each in report.findings]
    assert places == [("TL301", 17, 14), ("TL201", 18, 7)]
    assert report.texts["a.md"] == PAGE
    assert PAGE.split("\n")[16][13:].startswith("nn.functional.cross_entropy")


def test_it_is_read_where_it_is_named() -> None:
    Path("a.md").write_text(PAGE)
    Path("b.py").write_text("x = 1\n")
    assert api.check(["."], Settings()).summary.files == 1
    assert api.check([".", "a.md"], Settings()).summary.files == 2


@pytest.mark.parametrize("line", [18, 17])
def test_comments_suppress(line: int) -> None:
    lines = PAGE.split("\n")
    lines[line - 1] += "  # torchlint: ignore[TL201, TL301]"
    assert len(lint("\n".join(lines)).findings) == 1


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fixes_keep_the_margin(newline: str) -> None:
    before = PAGE.replace("\n", newline)
    Path("a.md").write_bytes(before.encode())
    report, _ = api.fix(["a.md"], Settings(), Fixing(unsafe=True))
    line = f"      loss.backward(){newline}"
    clear = f"      optimizer.zero_grad(){newline}"
    assert Path("a.md").read_bytes().decode() == before.replace(line, clear + line)
    assert [finding.place.line for finding in report.fixed] == [18]


def test_the_last_line_of_a_block() -> None:
    source = read(PAGE)
    insert = Edit(Place("a.md", 20, 1, 20, 1), "    done(x)\n")
    assert "  optimizer.step()\n      done(x)\n  ```\n" in source.edited([insert])
    delete = Edit(Place("a.md", 19, 1, 20, 1), "")
    assert "      loss.backward()\n  ```\n" in source.edited([delete])
    assert source.edits([Edit(Place("a.md", 19, 1, 20, 2), "")]) is None
    assert source.edits([Edit(Place("a.md", 3, 1, 3, 2), "")]) is None


@pytest.mark.parametrize(
    "info",
    [
        *("python", "py", "Python", "python3", "py3", "ipython", "python title='a.py'"),
        *("{python}", "{.python .numberLines}", "{code-cell} ipython3", "{code-block} python"),
        *("python {linenos=true}", "python:a.py", "{.py}", "{python, echo=FALSE}", "python,ignore"),
    ],
)
def test_these_are_python(info: str) -> None:
    assert code(f"```{info}\nx = 1\n```\n") == ["x = 1"]


@pytest.mark.parametrize(
    "info", ["", "bash", "pytb", "python-traceback", "pyrex", "text", "json", "{r}", "console"]
)
def test_these_are_not(info: str) -> None:
    assert code(f"```{info}\nx = 1\n```\n") == []


@pytest.mark.parametrize("info", ["pycon", "python"])
def test_sessions(info: str) -> None:
    text = f"```{info}\n>>> for x in y:\n...     f(x)\n...\n1\n>>> g()\n'a'\n```\n"
    source = read(text)
    assert code(text) == ["for x in y:", "    f(x)", "g()"]
    assert source.place(Place("a.md", 3, 5, 3, 6)) == Place("a.md", 3, 9, 3, 10)
    assert source.edits([Edit(Place("a.md", 3, 5, 3, 6), "g")]) is None


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = (\n```\n",
        "```python\nreturn x\n```\n",
        "```python\n    def forward(self):\n        pass\n```\n",
        "````markdown\n```python\nx = 1\n```\n````\n",
        "> ```python\n> x = 1\n> ```\n",
        "`` `python\nx = 1\n``",
        "    indented = 1\n",
        "```python\n```\n",
        "",
    ],
)
def test_what_is_left_out(text: str) -> None:
    assert code(text) == []
    assert read(text).broken == ()


@pytest.mark.parametrize(
    "text",
    [
        "~~~python\nx = 1\n~~~\n",
        "```python\nx = 1",
        "~~~~py\nx = 1\n~~~~\n",
        "1. one\n\n   ```python\n   x = 1\n   ```\n",
        "\t```python\n\tx = 1\n\t```\n",
    ],
)
def test_what_is_read(text: str) -> None:
    assert code(text) == ["x = 1"]


def test_a_fence_ends_with_one_as_long() -> None:
    assert code("````python\nx = '''\n```\n'''\n````\ny = 1\n") == ["x = '''", "```", "'''"]


def test_magics_go() -> None:
    assert code("```python\n!pip install torch\nx = 1\n```\n") == ["pass", "x = 1"]


def test_standard_input() -> None:
    arguments = ["-", "--stdin-filename", "README.md", "--unsafe-fixes", "--fix"]
    result = CliRunner().invoke(command, arguments, input=PAGE)
    line = "      loss.backward()\n"
    assert result.stdout == PAGE.replace(line, "      optimizer.zero_grad()\n" + line)


def test_formats_count_its_lines() -> None:
    Path("a.md").write_text(PAGE)
    result = CliRunner().invoke(command, ["a.md", "--output-format", "github"])
    assert "file=a.md,line=17,endLine=17,col=14" in result.stdout
    result = CliRunner().invoke(command, ["a.md"])
    assert "17 |       loss = nn.functional.cross_entropy(model(x), y)\n" in result.stdout
