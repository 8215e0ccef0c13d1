"""The user's Python environment, which need not be the one that torchlint runs in."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path


def active_python() -> str:
    """The interpreter of the active environment.

    Without one it is this interpreter if it has torch, else the one that ``python3`` starts:
    torchlint may be installed in an environment of its own.
    """
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        interpreter = _in_environment(os.environ.get(variable, ""))
        if interpreter:
            return interpreter
    elsewhere = None if find_spec("torch") else shutil.which("python3")
    return elsewhere or sys.executable


def find_python(name: str) -> str | None:
    """The interpreter of a path, a command, or the folder of a virtual environment."""
    return _in_environment(name) or shutil.which(name)


def _in_environment(folder: str) -> str | None:
    if not folder:
        return None
    candidates = (Path(folder, "bin", "python"), Path(folder, "Scripts", "python.exe"))
    return next((str(candidate) for candidate in candidates if candidate.is_file()), None)
