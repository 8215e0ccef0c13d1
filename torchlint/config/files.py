"""Configuration files: which one is the closest, what it says, and on which line."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from torchlint.config.kinds import RefusedError
from torchlint.config.options import OPTIONS
from torchlint.frozen import dataclass
from torchlint.settings import SettingsError
from torchlint.sources.discovery import CONFIGURATIONS, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.config.lines import Lines

EXTEND = "extend"


@dataclass(frozen=True, slots=True)
class Value:
    """A value that an option is given, and where."""

    value: Any
    origin: str


Layer = dict[str, Value]
"""What one place says of the options, by their keys."""


def closest(folder: str) -> str | None:
    """The file that configures a folder: that of the nearest folder upwards with one."""
    while True:
        for name in CONFIGURATIONS:
            file = os.path.join(folder, name)
            if os.path.isfile(file) and (name != "pyproject.toml" or _concerns_us(file)):
                return file
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def of_user() -> str | None:
    """The file that configures what no project does, in the user's own folder for such files."""
    if os.name == "nt":
        folder = os.environ.get("APPDATA", "")
    else:
        folder = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    file = os.path.join(folder, "torchlint", "torchlint.toml")
    return file if os.path.isabs(folder) and os.path.isfile(file) else None


def layers(file: str, above: tuple[str, ...] = ()) -> list[Layer]:
    """What a file says, after what those say that it extends."""
    from torchlint.config.lines import Lines

    text = _text(file)
    table = _table(file, text)
    lines = Lines(shown_file(file), text, file.endswith("pyproject.toml"))
    folder = os.path.dirname(file)
    inherited: list[Layer] = []
    if EXTEND in table:
        extended = _extended(table.pop(EXTEND), folder, lines)
        if extended in (*above, file):
            raise SettingsError(
                f"{lines.where(EXTEND)}: extend leads back to {shown_file(extended)}."
            )
        inherited = layers(extended, (*above, file))
    # What the user says of paths is meant for wherever torchlint is run.
    base = os.getcwd() if file == of_user() else folder
    return [*inherited, read(table, base, lines.where)]


def inline(text: str) -> Layer:
    """What ``KEY=VALUE`` on the command line says."""
    import tomllib

    from torchlint.config.lines import told

    origin = f"--config {text}"
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, _ = told(error)
        advice = """strings have quotes, as in --config 'fail-on="error"'"""
        raise SettingsError(f"{origin} is not TOML ({reason}); {advice}.") from None
    return read(table, os.getcwd(), lambda *_: origin)


def read(table: Mapping[str, Any], base: str, where: Any) -> Layer:
    """The values of a table; SettingsError with a sentence for each that is wrong.

    ``where`` says where a key, and a part of its value, is written.
    """
    layer: Layer = {}
    wrong = []
    for key, value in table.items():
        option = OPTIONS.get(key)
        if option is None:
            wrong.append(f"{where(key)}: {_unknown(key)}")
            continue
        try:
            layer[key] = Value(option.kind.read(value, key, base), where(key))
        except RefusedError as error:
            wrong += (f"{where(key, part)}: {sentence}" for sentence, part in error.mistakes)
    if wrong:
        raise SettingsError(*wrong)
    return layer


def shown_file(file: str) -> str:
    """A file as people are told of it."""
    from pathlib import Path

    return shown(Path(file))


def _unknown(key: str) -> str:
    import difflib

    if key == "tool":
        return "there is no option tool; the header [tool.torchlint] is for pyproject.toml."
    near = difflib.get_close_matches(key.replace("_", "-"), [*OPTIONS, EXTEND], n=1, cutoff=0.5)
    advice = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(OPTIONS)}."
    return f"there is no option {key}{advice}"


def _concerns_us(file: str) -> bool:
    """Whether a ``pyproject.toml`` has a table for us; most do not even have the word."""
    try:
        text = _text(file)
    except SettingsError:
        return False
    if "torchlint" not in text:
        return False
    import tomllib

    try:
        return "torchlint" in tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError:
        # If it is meant for us, reading it says what is wrong; otherwise others will.
        return re.search(r"^\s*\[\s*tool\s*\.\s*torchlint\b", text, re.MULTILINE) is not None


def _text(file: str) -> str:
    try:
        with open(file, encoding="utf-8-sig") as stream:
            return stream.read()
    except UnicodeDecodeError:
        raise SettingsError(f"{shown_file(file)} is not UTF-8, which TOML is.") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SettingsError(f"{shown_file(file)} cannot be read: {reason}.") from None


def _table(file: str, text: str) -> dict[str, Any]:
    """What the file has for us."""
    import tomllib

    from torchlint.config.lines import told

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, line = told(error)
        place = f"{shown_file(file)}:{line or text.count(chr(10)) + 1}"
        raise SettingsError(f"{place}: this is not TOML: {reason}.") from None
    if os.path.basename(file) != "pyproject.toml":
        return table
    ours = table.get("tool", {}).get("torchlint")
    if not isinstance(ours, dict):
        raise SettingsError(f"{shown_file(file)} has no table [tool.torchlint].")
    return ours


def _extended(value: Any, base: str, lines: Lines) -> str:
    if not isinstance(value, str) or not value:
        raise SettingsError(f"{lines.where(EXTEND)}: extend must be the path of a file.")
    file = os.path.normpath(os.path.join(base, os.path.expanduser(value)))
    if not os.path.isfile(file):
        said = f"extend: {value!r} does not exist (it would be {shown_file(file)})."
        raise SettingsError(f"{lines.where(EXTEND)}: {said}")
    return file
