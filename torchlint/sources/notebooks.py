"""Jupyter notebooks: the Python of their cells as one text, and edits of it put back into the JSON.

Of the file only the strings change in which there are lines that an edit touches.
"""

from __future__ import annotations

import ast
import json
import keyword
from dataclasses import field
from typing import TYPE_CHECKING, Any

from torchlint.findings import Finding, Place
from torchlint.frozen import dataclass, replace
from torchlint.sources import magics
from torchlint.sources.cells import BORDER, Cell, Cells
from torchlint.sources.lines import split
from torchlint.sources.notebook_text import rows, written
from torchlint.sources.packing import packed
from torchlint.sources.patterns import Pattern
from torchlint.sources.source import Source
from torchlint.sources.syntax import syntax_error, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.sources.reading import Found

_FORMAT = 4
_LANGUAGES = frozenset({"python", "python3", "ipython", "ipython3"})
_WORD = Pattern(r"(?<![\w.])[^\W\d]\w*")
_IMPORT = Pattern(r"(?:import|from)[ \t]")
_LONE = Pattern("[\ud800-\udfff]")


def read(found: Found, text: str) -> Source | Finding:
    """The source of a notebook, or what keeps it from being one."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        place = Place(found.path, error.lineno, error.colno, error.lineno, error.colno + 1)
        why = "it is empty" if not text.strip() else f"invalid JSON ({_lower(error.msg)})"
        return unreadable(place, f"this is no notebook: {why}")
    except RecursionError:
        data = None
    why = _refusal(data)
    if why:
        return unreadable(Place(found.path, 1, 1, 1, 1), why)
    return _Notebook(found, text).source(data)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _refusal(data: Any) -> str:
    """What keeps some JSON from being a notebook that can be read."""
    version = data.get("nbformat", _FORMAT) if isinstance(data, dict) else _FORMAT
    if isinstance(version, int) and version < _FORMAT:
        return (
            f"the notebook is of format {version}, and torchlint reads those of format {_FORMAT}; "
            "opened and saved in Jupyter, it is one"
        )
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        return "this is no notebook: it has no list of cells"
    return ""


@dataclass
class _Notebook:
    """A notebook on its way to a source."""

    found: Found
    text: str
    lines: list[str] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    texts: dict[int | None, str] = field(default_factory=dict)
    broken: list[tuple[Cell, str, Finding]] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)

    def source(self, data: dict[str, Any]) -> Source:
        """The source, with what keeps some of its cells from being Python."""
        for number, text in _codes(data):
            self._add(number, text)
        for cell, code, _ in self.broken:
            self._forget(cell, code)
        whole = Cells(self.text, tuple(self.cells), self.texts, written, rows)
        code = "".join(f"{line}\n" for line in self.lines)
        findings = tuple(finding for *_, finding in self.broken)
        found = self.found
        return Source(found.path, found.file, packed(code), found.reported, whole, findings)

    def _add(self, number: int, text: str) -> None:
        given = split(text)
        margins = _margins(given)
        own = [line.removeprefix(margin) for line, margin in zip(given, margins, strict=True)]
        plain = "\n".join(own)
        parsed = _parsed(plain)
        if parsed is None:
            return
        first = len(self.lines) + 1
        cell = Cell(
            first,
            tuple(map(len, own)),
            number,
            margins=margins,
            newline="\r\n" if "\r\n" in text else "\n",
            others=frozenset(first + line for line in parsed.others),
        )
        self.cells.append(cell)
        self.texts[number] = text
        self.lines += [*parsed.code.split("\n"), BORDER]
        if parsed.error is not None:
            finding = syntax_error(self.found.path, parsed.code, parsed.error)
            self.broken.append((cell, plain, _moved(finding, first - 1)))
        self.imported |= parsed.imported

    def _forget(self, cell: Cell, text: str) -> None:
        """Leave of a cell that is no Python its imports; all else that it names is not known."""
        code = text.split("\n")
        kept = [line if _is_import(line) else "" for line in code]
        imported = self.imported | _imported(ast.parse("\n".join(kept)))
        names = dict.fromkeys(_WORD.findall(text))
        lost = [name for name in names if not keyword.iskeyword(name) and name not in imported]
        free = next(index for index in reversed(range(len(kept))) if not kept[index])
        if lost:
            kept[free] = f"{' = '.join(lost)} = {magics.CALL}"
        self.lines[cell.first - 1 : cell.last] = kept


def _margins(lines: list[str]) -> tuple[str, ...]:
    """What IPython takes off the lines of a cell that begins with an indented one."""
    first = next((line for line in lines if line.strip()), "")
    margin = first[: len(first) - len(first.lstrip())]
    return tuple(margin if line.startswith(margin) else "" for line in lines)


@dataclass(frozen=True, slots=True)
class _Parsed:
    """The Python of a cell; ``others`` are those of its lines, from 0, that stand in for others."""

    code: str
    others: frozenset[int]
    imported: set[str] = field(default_factory=set)
    error: Exception | None = None


def _parsed(text: str) -> _Parsed | None:
    """What is Python in a cell, if anything is."""
    plain = magics.python(text)
    if plain is None:
        return None
    parsed = _checked(*plain)
    if parsed.error is None:
        return parsed
    again = magics.python(text, automatic=True)
    assert again is not None
    other = _checked(*again)
    return other if other.error is None else parsed


def _checked(code: str, others: frozenset[int]) -> _Parsed:
    try:
        return _Parsed(code, others, _imported(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return _Parsed(code, frozenset(range(code.count("\n") + 1)), error=error)


def _imported(tree: ast.Module) -> set[str]:
    """The names that imports bind at the top level."""
    return {
        alias.asname or alias.name.partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def _is_import(line: str) -> bool:
    if not _IMPORT.match(line):
        return False
    try:
        ast.parse(line)
    except (SyntaxError, ValueError):
        return False
    return True


def _moved(finding: Finding, lines: int) -> Finding:
    place = finding.place
    return replace(
        finding, place=replace(place, line=place.line + lines, end_line=place.end_line + lines)
    )


def _codes(data: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """The cells of code and their numbers, counted from 1 among cells of all kinds."""
    if not _is_python(_at(data, "metadata", "language_info", "name")):
        return
    if not _is_python(_at(data, "metadata", "kernelspec", "language")):
        return
    for number, cell in enumerate(data["cells"], start=1):
        if _at(cell, "cell_type") != "code":
            continue
        source = _at(cell, "source")
        if isinstance(source, list):
            source = "".join(each for each in source if isinstance(each, str))
        if isinstance(source, str) and _is_python(_at(cell, "metadata", "vscode", "languageId")):
            yield number, _LONE.sub("\N{REPLACEMENT CHARACTER}", source)


def _is_python(language: Any) -> bool:
    """Whether this names Python, or nothing."""
    return not isinstance(language, str) or language.lower() in _LANGUAGES


def _at(data: Any, *keys: str) -> Any:
    """What stands under keys within keys; None where there is nothing."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data
