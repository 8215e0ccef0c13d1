"""Code with a marked line, as files and as jobs for experiments."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from pathlib import Path

from torchlint.confirm.runner.protocol import Job, Observation, Target

MARK = "# here"
Observe = Callable[..., Observation]


def write(folder: Path, text: str, name: str = "flagged.py") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(textwrap.dedent(text), "utf-8")
    return file


def job(code: str, file: Path, scope: str) -> Job:
    """A job whose target is the statement on the marked line."""
    text = file.read_text("utf-8")
    line = next(number for number, line in enumerate(text.splitlines(), 1) if MARK in line)
    node = next(
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and node.lineno == line and not hasattr(node, "body")
    )
    if code == "TL601" and isinstance(node, ast.Assign):
        node = node.value
    target = Target(
        str(file),
        line,
        node.col_offset + 1,
        node.end_lineno or line,
        (node.end_col_offset or 0) + 1,
    )
    return Job(code, target, scope, root=str(file.parent), seconds=10)
