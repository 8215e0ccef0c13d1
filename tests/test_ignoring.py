"""Comments that are added to suppress findings: they suppress them, and change nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from torchlint.findings import Edit, Finding, Level, Place
from torchlint.ignoring import comments
from torchlint.registry import rules
from torchlint.settings import Settings
from torchlint.sources.lines import split
from torchlint.sources.source import Source
from torchlint.suppressing import suppress


def finding(line: int, end_line: int | None = None, code: str = "TL301") -> Finding:
    place = Place("a.py", line, 1, end_line or line, 80)
    return Finding(code, rules()[code].name, Level.CORRECTNESS, "", place)


def source(text: str) -> Source:
    return Source("a.py", Path("a.py"), text)


def applied(text: str, edits: list[Edit]) -> str:
    lines = split(text)
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + len(_end(text, starts[-1] + len(line))))
    for edit in reversed(edits):
        place = edit.place
        begin = starts[place.line - 1] + place.column - 1
        end = starts[place.end_line - 1] + place.end_column - 1
        text = text[:begin] + edit.text + text[end:]
    return text


def _end(text: str, at: int) -> str:
    return text[at : at + 2] if text[at : at + 2] == "\r\n" else text[at : at + 1]


OURS = "# torchlint: ignore[TL301]"


@pytest.mark.parametrize(
    ("before", "found", "after"),
    [
        ("x = 1\n", [finding(1)], f"x = 1  {OURS}\n"),
        ("x = 1", [finding(1)], f"x = 1  {OURS}"),
        ("x = 1  \r\ny = 2\r\n", [finding(1)], f"x = 1  {OURS}\r\ny = 2\r\n"),
        ("x = 1  # type: ignore\n", [finding(1)], f"x = 1  # type: ignore  {OURS}\n"),
        (
            "x = 1\n",
            [finding(1), finding(1, code="TL201"), finding(1)],
            "x = 1  # torchlint: ignore[TL301, TL201]\n",
        ),
        (
            "x = 1  # torchlint: ignore[TL201] why\n",
            [finding(1)],
            "x = 1  # torchlint: ignore[TL201, TL301] why\n",
        ),
        ("x = 1  # noqa: TL201\n", [finding(1)], f"x = 1  # noqa: TL201  {OURS}\n"),
        ("x = f(\n    1,\n)\n", [finding(1, 3)], f"x = f(  {OURS}\n    1,\n)\n"),
        ("x = f(\n    1,\n)\n", [finding(2)], f"x = f(\n    1,  {OURS}\n)\n"),
        ("x = '''\n'''\n", [finding(1, 2)], f"x = '''\n'''  {OURS}\n"),
        ("x = 1 + \\\n    2\n", [finding(1, 2)], f"x = 1 + \\\n    2  {OURS}\n"),
        (
            "if x:\n    y = 1 + \\\n        2 + \\\n        3\n",
            [finding(3)],
            f"if x:\n    {OURS}\n    y = 1 + \\\n        2 + \\\n        3\n",
        ),
        ("def f():\n  f('''a\nb''')\n", [finding(2)], f"def f():\n  {OURS}\n  f('''a\nb''')\n"),
        ("x = f'''\n{\n1}\n'''\n", [finding(2)], f"{OURS}\nx = f'''\n{{\n1}}\n'''\n"),
        ("@a\n@b\ndef f(): pass\n", [finding(2)], f"@a\n@b  {OURS}\ndef f(): pass\n"),
    ],
)
def test_a_comment_is_added_where_it_can_stand(
    before: str, found: list[Finding], after: str
) -> None:
    text = applied(before, comments(found, source(before)))
    assert text == after
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(before))
    suppressed = suppress(_moved(found, before, text), [source(text)], Settings())
    assert not [each for each in suppressed if each.code == "TL301"]


def _moved(found: list[Finding], before: str, after: str) -> list[Finding]:
    """The findings where a line before them has moved them to."""
    more = len(split(after)) - len(split(before))
    return [finding(each.place.line + more, each.place.end_line + more) for each in found]


def test_a_reason() -> None:
    (edit,) = comments([finding(1)], source("x = 1\n"), "known since 2.1")
    assert edit.text == f"  {OURS} known since 2.1"


def test_what_cannot_be_suppressed_gets_none() -> None:
    assert comments([finding(1, code="TL001")], source("x = 1\n")) == []
    assert comments([finding(1)], source("x = (\n")) == []
