"""Fixing: edits of the source that mend what a check has found, or nothing where none is right.

Loaded when the first finding asks for a repair: libcst alone takes longer than a file to read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchlint.fixing.repairs import *  # noqa: F403
else:
    from importlib import import_module

    def __getattr__(name: str) -> object:
        return getattr(import_module("torchlint.fixing.repairs"), name)
