"""Edits of cells made in the JSON of a notebook: what they do not touch stays as it is written."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.sources.edits import span
from torchlint.sources.lines import starts
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from torchlint.findings import Edit

_BLANK = Pattern(r"[ \t\n\r]*")
_STRING = Pattern(r'"(?:\\.|[^"\\])*"', re.DOTALL)
_HEX = "[0-9a-fA-F]"
_CHARACTER = Pattern(
    rf"\\u[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}}|\\u{_HEX}{{4}}|\\.|.", re.DOTALL
)
_ESCAPED = Pattern(rf"\\u(?!00[0-7]){_HEX}{{4}}")

_decode = json.JSONDecoder().raw_decode


def written(whole: str, edits: Iterable[Edit]) -> str:
    """The text of a notebook with edits made in its cells."""
    by_cell: dict[int, list[Edit]] = defaultdict(list)
    for edit in edits:
        assert edit.place.cell is not None
        by_cell[edit.place.cell].append(edit)
    style = _Style(whole)
    places = dict(spans(whole))
    made, done = [], 0
    for number, own in sorted(by_cell.items()):
        start, end = places[number]
        made += [whole[done:start], style.edited(whole[start:end], own)]
        done = end
    return "".join([*made, whole[done:]])


@lru_cache(maxsize=4)
def rows(whole: str) -> dict[int, list[int]]:
    """In which line of the notebook's file each line of each cell begins."""
    found = {}
    row, done = 1, 0
    for number, (start, end) in spans(whole):
        lines: list[int] = []
        is_new = True
        for match in _STRING.finditer(whole, start, end):
            row += whole.count("\n", done, match.start())
            done = match.start()
            text = json.loads(match[0])
            lines += [row] * (is_new + text.count("\n") - text.endswith("\n"))
            is_new = text.endswith("\n")
        found[number] = [*lines, row] if is_new else lines
    return found


class _Style:
    """How a notebook is written, where that has to be known for what is new in it."""

    def __init__(self, whole: str) -> None:
        self.ascii = whole.isascii() and _ESCAPED.search(whole) is not None
        self.comma = ", " if '": ' in whole else ","

    def edited(self, source: str, edits: Iterable[Edit]) -> str:
        """The JSON of a cell's source with edits made in it."""
        found = list(_STRING.finditer(source))
        strings = [match[0] for match in found]
        new = self._strings(strings, edits)
        if not source.startswith("["):
            return f'"{"".join(string[1:-1] for string in new)}"'
        if not new:
            return "[]"
        if not found:
            return f"[{self.comma.join(new)}]"
        gaps = [source[one.end() : other.start()] for one, other in pairwise(found)]
        head, tail = source[: found[0].start()], source[found[-1].end() :]
        usual = gaps[0] if gaps else "," + head[1:] if head[1:] else self.comma
        before = _alike(strings, new)
        after = _alike(strings[before:][::-1], new[before:][::-1])
        kept = dict(enumerate(gaps[: max(before - 1, 0)]))
        kept |= {len(new) - 1 - index: gaps[-index] for index in range(1, after)}
        joined = "".join(
            string + (kept.get(index, usual) if index < len(new) - 1 else "")
            for index, string in enumerate(new)
        )
        return head + joined + tail

    def _strings(self, strings: Sequence[str], edits: Iterable[Edit]) -> list[str]:
        """The strings with edits made in the text that they spell; each ends where it did."""
        characters = [_CHARACTER.findall(string[1:-1]) for string in strings]
        old = [(each, end) for own in characters for each, end in _ending(own)]
        lines = starts("".join(map(json.loads, strings)))
        made: list[tuple[str, bool]] = []
        done = 0
        for edit in sorted(edits, key=lambda edit: edit.place):
            start, end = span(lines, edit.place)
            made += old[done:start]
            new = [(self._spelled(each), each == "\n") for each in edit.text]
            if made and new and made[-1][0] != r"\n":
                made[-1] = made[-1][0], False
            made += new
            done = end
        return list(_grouped([*made, *old[done:]]))

    def _spelled(self, character: str) -> str:
        return json.dumps(character, ensure_ascii=self.ascii)[1:-1]


def _ending(characters: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The characters of a string, each with whether it is the last."""
    for index, character in enumerate(characters, start=1):
        yield character, index == len(characters)


def _grouped(characters: Iterable[tuple[str, bool]]) -> Iterator[str]:
    """Strings of characters, up to each that is the last of its own."""
    own = ""
    for character, is_last in characters:
        own += character
        if is_last:
            yield f'"{own}"'
            own = ""
    if own:
        yield f'"{own}"'


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items two rows begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def spans(whole: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Where in the JSON the source of each cell stands, by the number of the cell."""
    reader = _Reader(whole)
    for key in reader.members():
        if key == "cells":
            for number, _ in enumerate(reader.items(), start=1):
                for name in reader.members():
                    start = reader.at
                    reader.skip()
                    if name == "source":
                        yield number, (start, reader.at)


class _Reader:
    """Goes through the JSON of a notebook; what nobody looks into is skipped."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._pass(0)

    def members(self) -> Iterator[str]:
        """The keys of the object that begins here, each where its value does."""
        return self._parts("{", "}")

    def items(self) -> Iterator[str]:
        """Stops where each item of the list begins here."""
        return self._parts("[", "]")

    def skip(self) -> None:
        """Go past a value."""
        _, self.at = _decode(self.text, self.at)

    def _parts(self, opening: str, closing: str) -> Iterator[str]:
        if self.text[self.at] != opening:
            return
        self._pass(1)
        while self.text[self.at] != closing:
            key = ""
            if opening == "{":
                key, self.at = _decode(self.text, self.at)
                self._pass(0)
                self._pass(1)
            start = self.at
            yield key
            if self.at == start:
                self.skip()
            self._pass(0)
            if self.text[self.at] == ",":
                self._pass(1)
        self.at += 1

    def _pass(self, count: int) -> None:
        """Go past some characters, and blanks."""
        match = _BLANK.match(self.text, self.at + count)
        assert match is not None
        self.at = match.end()
