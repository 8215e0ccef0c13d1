"""What is written for people: colours, the progress bar, pages and the table of rules."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Self, TextIO

from torchlint.reports import Style

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.progress import Progress, TaskID

    from torchlint.registry import Rule

_PATIENCE = 1.0


def style(out: TextIO) -> Style:
    """How the stream's reader sees it; ``NO_COLOR`` and ``FORCE_COLOR`` have the last word."""
    terminal = out.isatty()
    width = _columns() if terminal else None
    if os.environ.get("NO_COLOR"):
        return Style(width, color=False)
    forced = bool(os.environ.get("FORCE_COLOR"))
    return Style(width, color=forced or (terminal and os.environ.get("TERM") != "dumb"))


def _columns() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def print_markdown(text: str, out: TextIO) -> None:
    """Markdown, laid out on a terminal and as it is elsewhere."""
    seen = style(out)
    if seen.width is None:
        out.write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    width = min(seen.width, 100)
    console = Console(file=out, width=width, color_system="auto" if seen.color else None)
    console.print(Markdown(text))


def print_rules(table: Iterable[Rule], out: TextIO) -> None:
    """One line a rule: code, name, level, summary."""
    rows = [(rule.code, rule.name, str(rule.level), rule.summary) for rule in table]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        out.write("  ".join((*cells, row[3])) + "\n")


class Bar:
    """A progress bar that appears on a terminal once a run has taken longer than a second."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._started = time.monotonic()
        self._shown: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._shown is not None:
            self._shown.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Say how far a stage has come."""
        if self._shown is None:
            if time.monotonic() - self._started < _PATIENCE or not self._out.isatty():
                return
            self._shown = self._start()
        if stage not in self._tasks:
            for task in self._tasks.values():
                self._shown.update(task, visible=False)
            self._tasks[stage] = self._shown.add_task(stage, total=total)
        self._shown.update(self._tasks[stage], completed=done, total=total)

    def _start(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        progress = Progress(*columns, console=Console(file=self._out), transient=True)
        progress.start()
        return progress
