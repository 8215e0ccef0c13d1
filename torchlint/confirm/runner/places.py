"""Which lines of the user's program an event belongs to."""

from __future__ import annotations

import functools
import linecache
import os
import sys
from itertools import islice
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from .protocol import Target

_RUNNER = os.path.dirname(os.path.abspath(__file__)) + os.sep
_MODES = os.path.abspath(torch.overrides.__file__)
_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


class Project:
    """Tells the frames of the user's project from those of libraries and of the runner."""

    def __init__(self, *folders: str) -> None:
        self._roots = tuple(
            os.path.realpath(folder).rstrip(os.sep) + os.sep for folder in folders if folder
        )

    @functools.cache  # noqa: B019  (one project a run)
    def owns(self, file: str) -> bool:
        """Whether a file is the user's own code."""
        path = os.path.realpath(file)
        if file.startswith("<") or path.startswith((_RUNNER, _TORCH)):
            return False
        return path.startswith(self._roots) and not any(part in path for part in _INSTALLED)

    def innermost(self, frame: FrameType | None) -> FrameType | None:
        """The user's frame that is nearest to where something happened."""
        while frame is not None and not self.owns(frame.f_code.co_filename):
            frame = frame.f_back
        return frame

    def is_at(self, target: Target) -> bool:
        """Whether the user's code is at the target right now."""
        frame = self.innermost(sys._getframe(1))
        return frame is not None and stands_at(frame, target)

    def is_under(self, target: Target) -> bool:
        """Whether anything that the user's code does at the target goes on right now."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if self.owns(frame.f_code.co_filename) and stands_at(frame, target):
                return True
            frame = frame.f_back
        return False


def called_by_torch() -> bool:
    """Whether torch's own Python code makes the call that is being watched."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith((_RUNNER, _MODES)):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(_TORCH)


def is_on_its_lines(frame: FrameType, target: Target) -> bool:
    """Whether a frame executes something on the lines of the target."""
    if not same_file(frame.f_code.co_filename, target.file):
        return False
    return target.line <= frame.f_lineno <= target.end_line


def stands_at(frame: FrameType, target: Target) -> bool:
    """Whether a frame executes something within the target.

    Where Python knows the columns of an instruction (since 3.11), two calls on a line are told
    apart; else the line decides.
    """
    if not is_on_its_lines(frame, target):
        return False
    start, end = _instruction(frame)
    if start is None or end is None:
        return True
    file = frame.f_code.co_filename
    first = (target.line, _bytes_before(file, target.line, target.column))
    last = (target.end_line, _bytes_before(file, target.end_line, target.end_column))
    return first <= start and end <= last


@functools.cache
def same_file(one: str, other: str) -> bool:
    """Whether two paths name the same file."""
    return os.path.realpath(one) == os.path.realpath(other)


def _instruction(
    frame: FrameType,
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Where the frame's instruction starts and ends: lines from 1, columns in bytes from 0."""
    code: CodeType = frame.f_code
    if not hasattr(code, "co_positions") or frame.f_lasti < 0:
        return None, None
    line, end_line, column, end_column = next(
        islice(code.co_positions(), frame.f_lasti // 2, None), (None, None, None, None)
    )
    if line is None or end_line is None or column is None or end_column is None:
        return None, None
    return (line, column), (end_line, end_column)


def _bytes_before(file: str, line: int, column: int) -> int:
    """Bytes of the line that stand before a 1-based column of code points."""
    text = linecache.getline(file, line)
    return len(text[: column - 1].encode()) if text else column - 1
