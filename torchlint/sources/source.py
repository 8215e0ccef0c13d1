"""A file to lint, read and decoded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Source:
    """A Python file: ``path`` as reports show it, ``file`` where it lies, ``text`` decoded.

    Newlines are as in the file; ``reported`` is False for a file that only informs the analysis of
    others (the rest of the package of a file that was named).
    """

    path: str
    file: Path
    text: str = field(repr=False)
    reported: bool = True
