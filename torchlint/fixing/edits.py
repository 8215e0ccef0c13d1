"""Edits of the source that every fix is made of, each right for whatever layout it meets.

An edit replaces the text at a place. Where the layout leaves no right edit the answer is None.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.fixing import tree
from torchlint.frozen import replace
from torchlint.sources.lines import newline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.findings import Place
    from torchlint.fixing.written import Written

    Edits = tuple[tuple[Place, str], ...]

ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float)
_FIRST_INDENTED = re.compile(
    r"^(?:class|def|async|if|for|while|with|try)\b.*:[ \t]*(?:#.*)?\n"
    r"(?:[ \t]*(?:#.*)?\n)*([ \t]+)[^\s#]",
    re.MULTILINE,
)


# Expressions.


def replaced(region: Written, node: cst.CSTNode, text: str) -> Edits:
    """Put a text where a node is; also renames, where the node is a name."""
    return (_edit(region, region.place(node), text),)


def put_before(region: Written, node: cst.CSTNode, text: str) -> Edits:
    """Put a text straight before a node."""
    return (_edit(region, _start(region.place(node)), text),)


def put_after(region: Written, node: cst.CSTNode, text: str) -> Edits:
    """Put a text right behind a node, on the same line."""
    return (_edit(region, _end(region.place(node)), text),)


def grouped(region: Written, node: cst.BaseExpression) -> str:
    """The text of an expression, in parentheses unless it binds as tightly as a name."""
    text = region.source_of(node)
    return text if isinstance(node, ATOMS) or node.lpar else f"({text})"


def without_call(region: Written, call: cst.Call) -> Edits | None:
    """``x.f(…)`` becomes ``x``."""
    if not isinstance(call.func, cst.Attribute):
        return None
    whole, name = region.place(call), region.place(call.func.attr)
    text, start, end = region.outline.text, _offset(region, whole), _offset(region, name)
    before = text[start:end].rstrip()
    if not before.endswith("."):
        return None
    dot = start + len(before) - 1
    while text[dot - 1] in " \t" and text[:dot].rstrip(" \t")[-1] != "\n":
        dot -= 1
    return (_edit(region, _between(region, whole, dot, _offset(region, whole, end=True)), ""),)


# Arguments.


def with_argument(region: Written, call: cst.Call, argument: str) -> Edits | None:
    """Add an argument, by keyword, after those that a call has."""
    if not call.args:
        place = region.place(call)
        end = _offset(region, place, end=True) - 1
        return (_edit(region, _between(region, place, end, end), argument),)
    if any(isinstance(item.value, cst.GeneratorExp) and not item.value.lpar for item in call.args):
        return None
    # After the value of the last argument, so that a trailing comma or comment stays where it is.
    at = _end(region.place(call.args[-1]))
    return (_edit(region, at, f", {argument}"),)


def without_argument(region: Written, call: cst.Call, argument: cst.Arg) -> Edits | None:
    """Take an argument out of a call, and the comma that came with it; comments stay."""
    text, place = region.outline.text, region.place(argument)
    index = next(i for i, item in enumerate(call.args) if item is argument)
    start, end = _offset(region, place), _offset(region, place, end=True)
    stop = end
    if isinstance(argument.comma, cst.Comma):
        stop = _offset(region, region.place(argument.comma), end=True)
        if text[end:stop].strip() != ",":
            return None
    if index + 1 < len(call.args):
        following = _offset(region, region.place(call.args[index + 1]))
        if not text[stop:following].strip():
            stop = following
    elif index:
        last = _offset(region, region.place(call.args[index - 1]), end=True)
        if text[last:start].strip() == ",":
            # The comma goes that stood before it; one that stood after it may stay.
            start, stop = last, end
    return (_edit(region, _between(region, place, start, stop), ""),)


# Statements.


def inserted_before(region: Written, node: cst.CSTNode, line: str) -> Edits | None:
    """Insert a simple statement before the one that a node is part of."""
    found = tree.statement(region, node)
    if found is None:
        return None
    start = _start(_first(region, found))
    margin = _margin(region, start)
    if margin is not None:
        return (_edit(region, start, f"{line}\n{margin}"),)
    if isinstance(found, cst.BaseSmallStatement):
        return (_edit(region, start, f"{line}; "),)
    return None


def inserted_after(region: Written, node: cst.CSTNode, line: str) -> Edits | None:
    """Insert a simple statement after the one that a node is part of."""
    found = tree.statement(region, node)
    if found is None:
        return None
    place = region.place(found)
    margin = _margin(region, _start(_first(region, found)))
    if isinstance(found, cst.BaseSmallStatement) and (margin is None or _shares(region, found)):
        return (_edit(region, _end(place), f"; {line}"),)
    if margin is None:
        return None
    full = len(_line(region, place.end_line)) + 1
    at = replace(place, line=place.end_line, column=full, end_column=full)
    return (_edit(region, at, f"\n{margin}{line}"),)


def wrapped(region: Written, node: cst.CSTNode, header: str) -> Edits | None:
    """Put the statement that a node is part of into a ``with`` of its own.

    ``header`` is what the new first line says, without the colon.
    """
    found = tree.statement(region, node)
    if found is None or _shares(region, found):
        return None
    start = _start(_first(region, found))
    margin = _margin(region, start)
    unit = _unit(region)
    if margin is not None:
        first = _edit(region, start, f"{header}:\n{margin}{unit}")
        return (first, *_indented(region, found, start.line, unit))
    suite = tree.parent(region, found)
    outer = tree.parent(region, suite) if isinstance(suite, cst.SimpleStatementSuite) else None
    margin = _margin(region, _start(region.place(outer))) if outer is not None else None
    head = _line(region, start.line)[: start.column - 1].rstrip()
    if margin is None or not head:
        return None
    at = replace(start, column=len(head) + 1)
    return (_edit(region, at, f"\n{margin}{unit}{header}: "),)


def _indented(region: Written, found: tree.Statement, first: int, unit: str) -> Edits:
    """One step further in for every line of a statement but the first and those in strings."""
    inside: set[int] = set()
    for node in tree.walk(found):
        if isinstance(node, cst.BaseString):
            place = region.place(node)
            inside.update(range(place.line + 1, place.end_line + 1))
    end = region.place(found)
    starts = (
        replace(end, line=line, column=1, end_line=line, end_column=1)
        for line in range(first + 1, end.end_line + 1)
        if line not in inside and _line(region, line).strip()
    )
    return tuple(_edit(region, start, unit) for start in starts)


def _shares(region: Written, found: tree.Statement) -> bool:
    """Whether a simple statement has others on its line."""
    line = tree.parent(region, found)
    if isinstance(line, (cst.SimpleStatementLine, cst.SimpleStatementSuite)):
        return len(line.body) > 1
    return False


def _first(region: Written, found: tree.Statement) -> Place:
    """The place of a statement, from its first decorator on."""
    place = region.place(found)
    decorators: Iterable[cst.Decorator] = getattr(found, "decorators", ())
    for decorator in decorators:
        start = region.place(decorator)
        return replace(place, line=start.line, column=start.column)
    return place


def _margin(region: Written, start: Place) -> str | None:
    """What stands before a statement, if that is only its indentation."""
    before = _line(region, start.line)[: start.column - 1]
    continued = start.line > 1 and _line(region, start.line - 1).endswith("\\")
    return before if not before.strip() and not continued else None


def _unit(region: Written) -> str:
    """One step of indentation in this file."""
    found = _FIRST_INDENTED.search(region.outline.text)
    return found[1] if found else "    "


# Places.


def _line(region: Written, number: int) -> str:
    return region.outline.lines(number, number).removesuffix("\n")


def _start(place: Place) -> Place:
    return replace(place, end_line=place.line, end_column=place.column)


def _end(place: Place) -> Place:
    return replace(place, line=place.end_line, column=place.end_column)


def _offset(region: Written, place: Place, *, end: bool = False) -> int:
    """How many characters of the file stand before a place, or before its end."""
    line, column = (place.end_line, place.end_column) if end else (place.line, place.column)
    before = region.outline.lines(1, line - 1) if line > 1 else ""
    return len(before) + column - 1


def _between(region: Written, place: Place, start: int, end: int) -> Place:
    """The place from one offset to another, in the file of ``place``."""
    text = region.outline.text
    line, column = _position(text, start)
    end_line, end_column = _position(text, end)
    return replace(place, line=line, column=column, end_line=end_line, end_column=end_column)


def _position(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _edit(region: Written, place: Place, text: str) -> tuple[Place, str]:
    """An edit, with line ends like that of the line it is made in."""
    source = region.outline.source.text
    if "\n" in text and "\r" in source:
        text = text.replace("\n", newline(source, place.line))
    return place, text
