"""Paths as consumers want them; findings have them relative to the working directory."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote


def within(path: str, variable: str) -> str:
    """The path from the folder that a variable of the environment names, where it lies in there."""
    root = os.environ.get(variable)
    if not root:
        return path
    try:
        inside = os.path.relpath(path, root)
    except ValueError:  # on another drive
        return path
    outside = inside == os.pardir or inside.startswith(os.pardir + os.sep)
    return path if outside else inside.replace(os.sep, "/")


def uri(path: str) -> str:
    """A reference to the file, relative as the path is; an absolute one begins with a scheme."""
    return Path(path).as_uri() if os.path.isabs(path) else quote(os.fsencode(path))


def folder_uri() -> str:
    """The working directory, which relative references are resolved against."""
    return Path.cwd().as_uri().rstrip("/") + "/"
