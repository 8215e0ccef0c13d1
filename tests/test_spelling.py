"""Code is spelled in several ways, over several lines, or annotated: the findings are the same."""

from __future__ import annotations

import ast
import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import pytest
from cases import Case, all_cases

from torchlint.api import check
from torchlint.findings import Level
from torchlint.project.spelling import usual_spelling
from torchlint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("x = nn.Linear(\n    3,\n    4,\n)\n", "x = nn.Linear(3, 4)\n"),
        ("x = f(\n    [\n        1,\n        2\n    ],\n    y\n)\n", "x = f([1, 2], y)\n"),
        ("x = nn.Linear( 3 , 4 )\n", "x = nn.Linear(3, 4)\n"),
        ("x = (\n    y.a()\n    .b()\n    .c\n)\n", "x = (y.a().b().c)\n"),
        ("x = f(a,  # this,\n      b)\n", "x = f(a,  # this,\n      b)\n"),
        ("x = f(\n    a  # this\n)\n", "x = f(a  # this\n)\n"),
        ("x = 1  # one (\ny = 2\n", "x = 1  # one (\ny = 2\n"),
        ("x = [a, b]\ny = c\n", "x = [a, b]\ny = c\n"),
        ("if a:\n    x = 1\nelse: x = 2\n", "if a:\n    x = 1\nelse: x = 2\n"),
    ],
)
def test_brackets_are_on_one_line(text: str, usual: str) -> None:
    assert usual_spelling(text) == usual
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(usual))


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("x: int = 3\nself.y: list[int]=[3]\n", "x = 3\nself.y =[3]\n"),
        ("def f(x: int = 3,\n      y: int = 4):\n", "def f(x: int = 3, y: int = 4):\n"),
        ("x: int\nx = 3\n", "x: int\nx = 3\n"),
        ("y = {\n    k: a == b,\n}\n", "y = {k: a == b}\n"),
    ],
)
def test_what_is_annotated_is_assigned(text: str, usual: str) -> None:
    assert usual_spelling(text) == usual


def spread(text: str) -> str:
    """The text with a line for each argument of the calls that are statements, or assigned."""
    lines = [[line] for line in text.split("\n")]
    for each in ast.walk(ast.parse(text)):
        if not isinstance(each, (ast.Assign, ast.Return, ast.Expr)):
            continue
        call, [line, *_] = each.value, lines[each.lineno - 1]
        alone = each.lineno == each.end_lineno and not line[: each.col_offset].strip()
        if (
            alone
            and isinstance(call, ast.Call)
            and line.isascii()
            and not re.search(r"\bf\"", line)
        ):
            given = [*call.args, *call.keywords]
            if given and not isinstance(given[0], ast.GeneratorExp):
                blanks = " " * each.col_offset
                parts = [line[one.col_offset : one.end_col_offset] for one in given]
                inner = [f"{blanks}    {part}," for part in parts]
                end = call.end_col_offset or 0
                begun, ended = line[: call.func.end_col_offset] + "(", blanks + line[end - 1 :]
                lines[each.lineno - 1] = [begun, *inner, ended]
    return "\n".join(chain(*lines))


def loosened(text: str) -> str:
    """The text with blanks within parentheses and before commas, but for lines with strings."""
    strings = {
        line
        for each in ast.walk(ast.parse(text))
        if isinstance(each, ast.Constant | ast.JoinedStr)
        for line in range(each.lineno, (each.end_lineno or 0) + 1)
        if isinstance(each, ast.JoinedStr) or isinstance(each.value, str)
    }
    lines = text.split("\n")
    for number, line in enumerate(lines):
        code, sign, comment = line.partition("#")
        if number + 1 not in strings:
            code = re.sub(r"(?<!\()\)", " )", re.sub(r"\((?!\)|$)", "( ", code))
            lines[number] = re.sub(r"(?<=\S),", " ,", code) + sign + comment
    return "\n".join(lines)


def annotated(text: str) -> str:
    """The text with an annotation on each name that an assignment alone gives a value."""
    tree, lines = ast.parse(text), text.split("\n")
    fields = [
        each for owner in ast.walk(tree) if isinstance(owner, ast.ClassDef) for each in owner.body
    ]
    for each in ast.walk(tree):
        match each:
            case ast.Global() | ast.Nonlocal():
                return text
            case ast.Assign(targets=[ast.Name() as name]) if each not in fields:
                line, end = lines[name.lineno - 1], name.end_col_offset or 0
                lines[name.lineno - 1] = f'{line[:end]}: "object"{line[end:]}'
    return "\n".join(lines)


def found(file: Path, text: str) -> Counter[tuple[str, str]]:
    file.write_text(text, "utf-8")
    findings = check([str(file)], Settings(level=Level.PEDANTIC)).findings
    return Counter((each.code, each.level.value) for each in findings)


FILES = [
    case
    for case in all_cases()
    if case.kind == "fires" and case.is_executable and case.path.is_file()
]
CASES = [
    (case, change)
    for number, change in enumerate((spread, loosened, annotated))
    for case in FILES[number::9]
    if "torchlint:" not in case.path.read_text("utf-8")
]


@pytest.mark.parametrize(
    ("case", "change"), CASES, ids=lambda each: getattr(each, "label", "") or each.__name__
)
def test_findings_are_the_same(case: Case, change: Callable[[str], str], tmp_path: Path) -> None:
    text = case.path.read_text("utf-8")
    otherwise = change(text)
    assert change is annotated or ast.dump(ast.parse(otherwise)) == ast.dump(ast.parse(text))
    file = tmp_path / case.path.name
    assert found(file, otherwise) == found(file, text)


def test_most_are_spelled_otherwise() -> None:
    changed = [change(text) != text for case, change in CASES if (text := case.path.read_text())]
    assert sum(changed) > len(CASES) * 0.8
