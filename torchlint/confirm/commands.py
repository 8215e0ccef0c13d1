"""Commands that start a program of the user's, as far as they start Python."""

from __future__ import annotations

import os
import re
import shlex

from torchlint.settings import Start

_VARIABLE = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_PYTHON = re.compile(r"python[\d.]*(\.exe)?$")
_PROGRAMS = (".py", ".ipynb")
_WITH_VALUE = ("-W", "-X")
# They start what comes after their own options: a program, a module or an interpreter.
_LAUNCHERS = (
    ("env",),
    ("time",),
    ("nohup",),
    *((name, "run") for name in ("uv", "poetry", "pdm", "pipenv", "pixi", "hatch", "rye")),
    ("torchrun",),
    ("accelerate", "launch"),
    ("deepspeed",),
)
_LAUNCHING = ("torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch")
_MODULE = ("-m", "--module")


class CommandError(ValueError):
    """The command starts nothing that can be run; the message says why."""


def program(command: str, folder: str) -> Start:
    """The program that a command starts in a folder."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CommandError(f"{command!r} is no command: {error}") from None
    variables: list[tuple[str, str]] = []
    words = _after_prefixes(words, variables)
    if words and _PYTHON.match(os.path.basename(words[0])):
        words = _without_options(words[1:])
        if words[:1] == ["-m"] and words[1:2] and words[1] in _LAUNCHING:
            words = _launched(words[2:])
    elif not words or not words[0].endswith((*_PROGRAMS, *_MODULE)):
        raise CommandError(f"{command!r} starts no Python program, such as python train.py")
    if not words:
        raise CommandError(f"{command!r} names no program")
    if words[0] in _MODULE:
        file, *rest = _module(words[1:], folder)
        return Start((file, *rest), words[1], tuple(variables))
    file = os.path.join(folder, words[0])
    if not os.path.isfile(file):
        raise CommandError(f"there is no {words[0]}")
    return Start((os.path.realpath(file), *words[1:]), "", tuple(variables))


def _after_prefixes(words: list[str], variables: list[tuple[str, str]]) -> list[str]:
    """What is left of a command without variables and launchers before it."""
    while words:
        assigned = _VARIABLE.fullmatch(words[0])
        launcher = next((one for one in _LAUNCHERS if tuple(words[: len(one)]) == one), None)
        if assigned:
            variables.append((assigned[1], assigned[2]))
            words = words[1:]
        elif launcher:
            words = _launched(words[len(launcher) :])
        else:
            break
    return words


def _launched(words: list[str]) -> list[str]:
    """What a launcher starts: its own options come first, some of them with a value."""
    for index, word in enumerate(words):
        name = os.path.basename(word)
        if word in _MODULE or _PYTHON.match(name) or word.endswith(_PROGRAMS):
            return words[index:]
        if _VARIABLE.fullmatch(word):
            return words[index:]
    return []


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
            return (os.path.realpath(file), *words[1:])
    raise CommandError(f"there is no module {words[0]} in this folder")
