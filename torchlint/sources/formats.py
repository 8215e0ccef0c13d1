"""What kinds of files hold code: how each is told by its name, decoded and read."""

from __future__ import annotations

import codecs
import io
import os
import tokenize
from importlib import import_module
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.sources.packing import packed
from torchlint.sources.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from torchlint.findings import Finding
    from torchlint.sources.reading import Found

# The longest module in torch's own distribution has 1.4 MB. At 1.5 MB the standard parser takes a
# third of a second and 100 MB, libcst 4.5 seconds and 360 MB; longer files are generated data.
LONGEST_CODE = 1_500_000

# Most of a notebook is what it shows, which only has to be skipped.
LONGEST_NOTEBOOK = 150_000_000


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its ``suffixes``, and the most bytes that it may have.

    ``module`` reads it, if it holds more than code; such files are in UTF-8. ``is_walked`` says
    whether it is looked for in folders.
    """

    suffixes: tuple[str, ...]
    longest: int = LONGEST_CODE
    module: str = ""
    is_walked: bool = True

    def encoding(self, data: bytes) -> str:
        """The encoding of some bytes; SyntaxError where they declare none that there is."""
        if self.module:
            return "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8"
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]

    def read(self, found: Found, text: str) -> Source | Finding:
        """The source of a decoded file, or what keeps it from being one."""
        if not self.module:
            return Source(found.path, found.file, packed(text), found.reported)
        read: Callable[[Found, str], Source | Finding] = import_module(self.module).read
        return read(found, text)


PYTHON = Format((".py",))
NOTEBOOK = Format((".ipynb",), LONGEST_NOTEBOOK, "torchlint.sources.notebooks")
MARKDOWN = Format(
    (".md", ".markdown", ".qmd"), module="torchlint.sources.markdown", is_walked=False
)

_BY_SUFFIX = {suffix: each for each in (PYTHON, NOTEBOOK, MARKDOWN) for suffix in each.suffixes}

SUFFIXES = frozenset(_BY_SUFFIX)


def format_of(path: str | Path) -> Format:
    """The kind of a file; what has no other name is Python."""
    return _BY_SUFFIX.get(os.path.splitext(path)[1].lower(), PYTHON)


def is_walked(name: str) -> bool:
    """Whether a file of this name is looked for in folders."""
    known = _BY_SUFFIX.get(os.path.splitext(name)[1])
    return known is not None and known.is_walked
