"""Where a key of a configuration file is written, which the parser does not tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADER = re.compile(r"\s*\[\[?\s*(.+?)\s*\]\]?\s*(#.*)?$")
_KEY = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_SETTING = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")
_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)$")


def told(error: ValueError) -> tuple[str, str]:
    """What the parser says is wrong, and in which line; empty where it says none."""
    line = _LINE.search(str(error))
    return _LINE.sub("", str(error)).rstrip("."), line[1] if line else ""


@dataclass(frozen=True, slots=True)
class Lines:
    """Finds the line of a key, which the parser does not tell."""

    name: str
    text: str
    in_pyproject: bool

    def where(self, key: str, part: object = None) -> str:
        """``file:line`` of a key of ours, or of the part of its value that is looked for."""
        wanted = ["tool", "torchlint", key] if self.in_pyproject else [key]
        lines = self.text.splitlines()
        settings = list(self._settings(lines))
        of_key = [row for row, path in settings if path[: len(wanted)] == wanted]
        if not of_key:
            return self.name
        spelled = re.compile(rf"(?<![\w-]){re.escape(str(part))}(?![\w-])")
        for start in of_key if part is not None else ():
            end = next((row for row, _ in settings if row > start), len(lines))
            for row in range(start, end):
                if spelled.search(lines[row]):
                    return f"{self.name}:{row + 1}"
        return f"{self.name}:{of_key[0] + 1}"

    def _settings(self, lines: list[str]) -> Iterator[tuple[int, list[str]]]:
        table: list[str] = []
        for row, line in enumerate(lines):
            header, setting = _HEADER.match(line), _SETTING.match(line)
            if setting:
                yield row, table + _parts(setting[1])
            elif header and not header[1].startswith(('"', "'", "[")) and "," not in header[1]:
                table = _parts(header[1])
                yield row, table


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(_KEY, dotted)]
