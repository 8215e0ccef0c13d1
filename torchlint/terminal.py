"""What is written for people: colours, the progress bar, pages."""

from __future__ import annotations

import os
import time
from enum import StrEnum
from typing import TYPE_CHECKING, Self, TextIO

from torchlint.reports import Style

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_PATIENCE = 1.0


class Color(StrEnum):
    """Whether output has colours."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def style(out: TextIO, color: Color = Color.AUTO) -> Style:
    """How the stream's reader sees it; ``NO_COLOR`` and ``FORCE_COLOR`` stand in for a choice."""
    terminal = out.isatty()
    width = _columns() if terminal else None
    if color is not Color.AUTO:
        return Style(width, color=color is Color.ALWAYS)
    if os.environ.get("NO_COLOR"):
        return Style(width, color=False)
    forced = bool(os.environ.get("FORCE_COLOR"))
    return Style(width, color=forced or (terminal and os.environ.get("TERM") != "dumb"))


def _columns() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def print_markdown(text: str, out: TextIO, seen: Style) -> None:
    """Markdown, laid out on a terminal and as it is elsewhere."""
    if seen.width is None:
        out.write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    width = min(seen.width, 100)
    console = Console(
        file=out,
        width=width,
        force_terminal=seen.color,
        color_system="standard" if seen.color else None,
    )
    console.print(Markdown(text))


class Bar:
    """A progress bar that appears on a terminal once a run has taken longer than a second."""

    def __init__(self, out: TextIO, *, wanted: bool = True) -> None:
        self._out = out
        self._wanted = wanted
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
            if not self._is_due():
                return
            self._shown = self._start()
        if stage not in self._tasks:
            for task in self._tasks.values():
                self._shown.update(task, visible=False)
            self._tasks[stage] = self._shown.add_task(stage, total=total)
        self._shown.update(self._tasks[stage], completed=done, total=total)

    def _is_due(self) -> bool:
        waited = time.monotonic() - self._started
        return self._wanted and waited >= _PATIENCE and self._out.isatty()

    def _start(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        progress = Progress(*columns, console=Console(file=self._out), transient=True)
        progress.start()
        return progress
