"""Other arguments for a constructor that failed, by what it failed at."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .guesses import WIDTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from .protocol import Target

# What a constructor says that lacks something, by a name in backticks or quotes.
_ASKED = re.compile(
    r"[`'\"](\w+)[`'\"] (?:must|has to|have to|needs to|should) be (?:passed|given|set|specified|"
    r"provided|defined)|[`'\"](\w+)[`'\"] (?:is|are) (?:required|needed|mandatory)"
)
# What is fetched from elsewhere, which nothing here can be.
_FETCHED = re.compile(r"pretrain|weights?$|checkpoint|ckpt|download")
_NUMBERS = (1, 2, 4, 8, 16, 32, 64, 128, 224)
_MOST_NUMBERS = 4
_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True, eq=False)
class Failure:
    """Arguments with which a class could not be built, and why."""

    error: BaseException
    arguments: dict[str, Any]
    cls: type

    @functools.cached_property
    def _lines(self) -> list[int]:
        """The line of the class's own constructor that failed, and the last line below it."""
        code = getattr(self.cls.__init__, "__code__", None)  # type: ignore[misc]
        own, inner = 0, 0
        for trace in _traces(self.error):
            if trace.tb_frame.f_code is code:
                own, inner = trace.tb_lineno, 0
            elif own and f"torch{_SEP}nn" not in trace.tb_frame.f_code.co_filename:
                inner = trace.tb_lineno
        return [own, inner]

    @property
    def progress(self) -> tuple[int, int]:
        """How far the constructor came."""
        return self._lines[0], self._lines[1]

    def passes(self, target: Target) -> bool:
        """Whether it comes from a place, or from what is called there."""
        return any(
            target.line <= trace.tb_lineno <= target.end_line
            and os.path.abspath(trace.tb_frame.f_code.co_filename) == target.file
            for trace in _traces(self.error)
        )

    @functools.cached_property
    def blamed(self) -> list[str]:
        """The names that the failing code of constructors speaks of, the nearest first."""
        found: list[str] = []
        for trace in reversed(list(_traces(self.error))):
            code = trace.tb_frame.f_code
            if code.co_name == "__init__":
                tree = _function(code.co_filename, code.co_firstlineno)
                if tree is not None:
                    found.extend(_names_at(tree, *_place(trace)))
        return list(dict.fromkeys(found))


_SEP = "/"


def _traces(error: BaseException) -> Iterator[TracebackType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next


def corrections(
    failure: Failure,
    parameters: dict[str, inspect.Parameter],
    proposals: Callable[[str], list[Any]],
) -> Iterator[dict[str, Any]]:
    """Other values for arguments, the likeliest to help first."""
    yield from _missing(failure, parameters, proposals)
    passed = {name: inspect.Parameter(name, _KEYWORD) for name in failure.arguments}
    named = {name: item for name, item in parameters.items() if item.kind not in _VARIADIC}
    named = {**passed, **named}
    yield from ({name: value} for name, value in _changes(failure, named, proposals))


def _changes(
    failure: Failure,
    parameters: dict[str, inspect.Parameter],
    proposals: Callable[[str], list[Any]],
) -> Iterator[tuple[str, Any]]:
    """An argument and another value for it."""
    message = str(failure.error)
    if isinstance(failure.error, OSError):
        yield from _not_fetched(failure, parameters)
    blamed = [name for name in failure.blamed if name in parameters]
    rest = [name for name in failure.arguments if name not in blamed and name in parameters]
    numbers = [int(text) for text in re.findall(r"(?<![\w.])\d+(?![\w.])", message)]
    if isinstance(failure.error, IndexError):
        yield from _in_turn([_within(name, failure, parameters) for name in blamed])
    for names in (blamed, rest):
        others = [_others(name, failure, parameters, proposals) for name in names]
        sizes = [_resized(name, failure, parameters, numbers[:_MOST_NUMBERS]) for name in names]
        yield from _in_turn([*others, *sizes])


def _in_turn(changes: list[Iterator[tuple[str, Any]]]) -> Iterator[tuple[str, Any]]:
    """The first of each, then the second of each, and so on."""
    nothing: tuple[str, Any] = ("", None)
    for each in itertools.zip_longest(*changes, fillvalue=nothing):
        yield from (change for change in each if change is not nothing)


def _within(
    name: str, failure: Failure, parameters: dict[str, inspect.Parameter]
) -> Iterator[tuple[str, Any]]:
    """Longer sequences, and smaller indices."""
    value = failure.arguments.get(name, parameters[name].default)
    if type(value) is int:
        yield from ((name, other) for other in (0, 1, 2) if other < value)
    elif isinstance(value, (list, tuple)) and value:
        yield from ((name, type(value)(value * count)) for count in (2, 4))
    elif isinstance(value, (list, tuple)):
        yield from ((name, (other,) * 4) for other in (WIDTH, 2))


def _not_fetched(
    failure: Failure, parameters: dict[str, inspect.Parameter]
) -> Iterator[tuple[str, Any]]:
    """Nothing in the place of what is fetched."""
    for name, parameter in parameters.items():
        if _FETCHED.search(name) and failure.arguments.get(name, parameter.default):
            yield from ((name, None), (name, False))


def _missing(
    failure: Failure,
    parameters: dict[str, inspect.Parameter],
    proposals: Callable[[str], list[Any]],
) -> Iterator[dict[str, Any]]:
    """What a constructor behind this one lacks, where this one passes on what it is given."""
    message = str(failure.error)
    told = re.search(r"missing \d+ required .*?arguments?: (.*)", message)
    names = re.findall(r"'(\w+)'", told[1]) if told else []
    names += [first or second for first, second in _ASKED.findall(message)]
    passes_on = any(item.kind is item.VAR_KEYWORD for item in parameters.values())
    if isinstance(failure.error, KeyError) and passes_on:
        names += [name for name in failure.error.args if isinstance(name, str)]
    lacking = [name for name in dict.fromkeys(names) if name not in failure.arguments]
    if len(lacking) > 1:
        yield {name: proposals(name)[0] for name in lacking}
    for name in lacking:
        yield from ({name: value} for value in proposals(name)[:3])


def _others(
    name: str,
    failure: Failure,
    parameters: dict[str, inspect.Parameter],
    proposals: Callable[[str], list[Any]],
) -> Iterator[tuple[str, Any]]:
    """The other values that were thought of for an argument."""
    given = name in failure.arguments
    for value in proposals(name):
        if given and value is failure.arguments[name]:
            continue
        if not given and (value is None or parameters[name].default is value):
            continue
        yield name, value


def _resized(
    name: str,
    failure: Failure,
    parameters: dict[str, inspect.Parameter],
    numbers: list[int],
) -> Iterator[tuple[str, Any]]:
    """Other numbers, and other lengths of what is a sequence."""
    value = failure.arguments.get(name, parameters[name].default)
    if type(value) is int:
        for other in dict.fromkeys([*numbers, *_NUMBERS, 2 * value, value // 2]):
            if other > 0:
                yield name, other
        for count in (2, 3, 4):
            yield name, [value] * count
            yield name, (value,) * count
    elif isinstance(value, (list, tuple)) and value:
        for count in range(1, 7):
            yield name, type(value)([value[0]] * count)
        if type(value[0]) is int:
            yield name, value[0]
            yield name, [[value[0]] * 2] * len(value)


@functools.lru_cache(maxsize=64)
def _tree(file: str) -> ast.Module | None:
    import linecache

    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None


def _function(file: str, line: int) -> ast.FunctionDef | None:
    tree = _tree(file)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
            if first == line:
                return node
    return None


def _place(trace: TracebackType) -> tuple[int, int, int]:
    """Line and columns of what failed; the whole line where Python does not know more."""
    code = trace.tb_frame.f_code
    if hasattr(code, "co_positions") and trace.tb_lasti >= 0:
        line, end_line, start, end = list(code.co_positions())[trace.tb_lasti // 2]
        if line is not None and line == end_line and start is not None and end is not None:
            return line, start, end
    return trace.tb_lineno, 0, 10_000


def _names_at(function: ast.FunctionDef, line: int, start: int, end: int) -> list[str]:
    """The names at a place, then those of its statement, and those that they come from."""
    found: list[str] = []
    sources = _sources(function)
    statement = _statement(function, line)
    within = [
        node
        for node in ast.walk(statement or function)
        if isinstance(node, ast.expr)
        and (node.lineno, node.col_offset, node.end_col_offset) == (line, start, end)
    ]
    for node in (*within, statement) if statement is not None else ():
        waiting = _mentioned(ast.Expr(node) if isinstance(node, ast.expr) else node)
        while waiting:
            name = waiting.pop(0)
            if name not in found:
                found.append(name)
                waiting.extend(sources.get(name, ()))
    return found


def _statement(function: ast.FunctionDef, line: int) -> ast.stmt | None:
    around = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.stmt)
        and not isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return max(around, key=lambda node: node.lineno, default=None)


def _mentioned(node: ast.AST) -> list[str]:
    """Names and attributes of ``self``, without what only stands inside of a compound one."""
    inner = getattr(node, "body", None)
    names = []
    for field, value in ast.iter_fields(node):
        if inner is not None and field in ("body", "orelse", "finalbody"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                for part in ast.walk(child):
                    if isinstance(part, ast.Name):
                        names.append(part.id)
                    elif isinstance(part, ast.Attribute):
                        names.append(part.attr)
    return names


def _sources(function: ast.FunctionDef) -> dict[str, list[str]]:
    """What names are computed from."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(function):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, (ast.For, ast.comprehension)):
            targets, value = [node.target], node.iter
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)) and node.value is not None:
            targets, value = [node.target], node.value
        for target in targets:
            for name in _mentioned(ast.Expr(target)):
                found.setdefault(name, []).extend(_mentioned(ast.Expr(value)))
    return found
