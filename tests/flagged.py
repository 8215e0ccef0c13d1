"""Code with a marked line, as files and as jobs for experiments."""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from torchlint.confirm.runner.protocol import Job, Observation, Target

MARK = "# here"
BECAUSE = "# because"
Observe = Callable[..., Observation]


def write(folder: Path, text: str, name: str = "flagged.py") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(textwrap.dedent(text), "utf-8")
    return file


def job(code: str, file: Path, scope: str) -> Job:
    """A job whose target is the statement on the marked line, with the places that it rests on."""
    text = file.read_text("utf-8")
    node: ast.stmt | ast.expr = _statement(text, MARK)
    if code == "TL601" and isinstance(node, ast.Assign):
        node = node.value
    because = (_target(file, _statement(text, BECAUSE)),) if BECAUSE in text else ()
    return Job(code, _target(file, node), scope, str(file.parent), because, seconds=10)


def standing_at(file: str) -> Callable[[Any], bool]:
    """Whether code that goes by the name of a file executes the line of a target right now."""

    def is_at(target: Any) -> bool:
        frame: Any = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != file:
            frame = frame.f_back
        return frame is not None and frame.f_lineno == target.line

    return is_at


def _statement(text: str, mark: str) -> ast.stmt:
    line = next(number for number, line in enumerate(text.splitlines(), 1) if mark in line)
    return next(
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and node.lineno == line and not hasattr(node, "body")
    )


def _target(file: Path, node: ast.stmt | ast.expr) -> Target:
    return Target(
        str(file),
        node.lineno,
        node.col_offset + 1,
        node.end_lineno or node.lineno,
        (node.end_col_offset or 0) + 1,
    )
