"""Commands that start a program of the user's, as far as they start Python."""

from __future__ import annotations

import os
import re
import shlex

_VARIABLE = re.compile(r"[A-Za-z_]\w*=")
_PYTHON = re.compile(r"python[\d.]*(\.exe)?$")
_PROGRAMS = (".py", ".ipynb")
_WITH_VALUE = ("-W", "-X")


class CommandError(ValueError):
    """The command starts nothing that can be run; the message says why."""


def program(command: str, folder: str) -> tuple[str, ...]:
    """The path of the program that a command starts in a folder, and what it is told."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CommandError(f"{command!r} is no command: {error}") from None
    while words and _VARIABLE.match(words[0]):
        words.pop(0)
    if words and _PYTHON.match(os.path.basename(words[0])):
        words = _without_options(words[1:])
    elif not words or not words[0].endswith(_PROGRAMS):
        raise CommandError(f"{command!r} starts no Python program, such as python train.py")
    if not words:
        raise CommandError(f"{command!r} names no program")
    if words[0] == "-m":
        return _module(words[1:], folder)
    file = os.path.join(folder, words[0])
    if not os.path.isfile(file):
        raise CommandError(f"there is no {words[0]}")
    return (os.path.abspath(file), *words[1:])


def _without_options(words: list[str]) -> list[str]:
    """What comes after the interpreter's own options; a module keeps its ``-m``."""
    while words and words[0].startswith("-") and words[0] != "-m":
        if words[0] in ("-c", "-"):
            raise CommandError("only code that lies in a file can be run")
        words = words[2 if words[0] in _WITH_VALUE else 1 :]
    return words


def _module(words: list[str], folder: str) -> tuple[str, ...]:
    if not words:
        raise CommandError("-m names no module")
    stem = os.path.join(folder, *words[0].split("."))
    for file in (f"{stem}.py", os.path.join(stem, "__main__.py")):
        if os.path.isfile(file):
            return (os.path.abspath(file), *words[1:])
    raise CommandError(f"there is no module {words[0]} in this folder")
