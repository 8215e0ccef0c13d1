"""Importing: whether any file of a project takes names from another one."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchlint.project.index import Index
    from torchlint.project.outline import Outline


def is_imported(index: Index, outline: Outline) -> bool:
    """Whether some import names a file, or the package whose `__init__` it is."""
    path = PurePath(outline.source.path)
    name = path.parent.name if path.stem == "__init__" else path.stem
    if not name.isidentifier():
        return False
    named = rf"\b{re.escape(name)}\b"
    pattern = rf"^[ \t]*(?:from[ \t]+\S*{named}|(?:from[ \t]+\S+[ \t]+)?import\b[^\n]*{named})"
    return index.says(outline, name, pattern)
