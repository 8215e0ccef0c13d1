"""Which flags guard the flagged line, and what they have to be for it to run."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .building import class_node
from .signatures import signature_of
from .statements import dotted
from .uses import function_node

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .building import Recipe
    from .loading import Program

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


_SOMETHING = object()
"""What an argument has to be that must not be None."""


@dataclass(frozen=True)
class Turned:
    """Arguments that a flagged line asks for: of the constructor, and of the method itself.

    ``filled`` are those of the method that may be left out, and have to be something.
    """

    built: dict[str, Any] = field(default_factory=dict)
    called: dict[str, Any] = field(default_factory=dict)
    filled: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.built or self.called or self.filled)

    def __str__(self) -> str:
        given = {**self.built, **self.called}
        told = [f"{name}={value!r}" for name, value in given.items()]
        return ", ".join([*told, *(f"{name}=..." for name in self.filled)])


def turned(
    tree: ast.AST,
    line: int,
    initialiser: ast.AST | None,
    built: Mapping[str, Any],
    called: Mapping[str, Any],
) -> Turned:
    """What to give instead, for the line to run, of what is given or left at its default.

    ``built`` and ``called`` are those values by name; what is no flag or number stays.
    """
    found = Turned()
    kept = _kept(initialiser) if initialiser is not None else {}
    for test, wanted in _guards(tree, line):
        for name, value in _asked(test, wanted):
            owner, _, attribute = name.rpartition(".")
            if not owner and name in called and called[name] is None:
                if (value is True or value is _SOMETHING) and name not in found.filled:
                    found.filled.append(name)
            elif not owner:
                _turn(found.called, called, name, value)
            elif owner == "self":
                _turn(found.built, built, kept.get(attribute, attribute), value)
    return found


def turned_for(how: Recipe, program: Program, method: str) -> Turned:
    """What a module has to be built and called with for the flagged line of its class to run."""
    target, cls = program.job.target, how.cls
    own = class_node(cls, program)
    if own is None or not _is_in(own, target.line) or inspect.getfile(cls) != program.file:
        return Turned()
    initialiser = _node(cls.__init__, program)  # type: ignore[misc]
    built = {**_defaults(cls.__init__), **how.arguments}  # type: ignore[misc]
    node = _node(getattr(cls, method), program)
    is_its_own = node is not None and _is_in(node, target.line)
    called = _defaults(getattr(cls, method)) if is_its_own else {}
    return turned(own, target.line, initialiser, built, called)


def _node(function: Any, program: Program) -> ast.AST | None:
    code = getattr(function, "__code__", None)
    return function_node(code, program) if code is not None else None


def _defaults(function: Any) -> dict[str, Any]:
    parameters = signature_of(function).parameters.values()
    return {item.name: item.default for item in parameters if item.default is not item.empty}


def _turn(changes: dict[str, Any], given: Mapping[str, Any], name: str, value: Any) -> None:
    """Note another value for an argument, of the kind that it has."""
    if name not in given:
        return
    now = given[name]
    if isinstance(now, bool):
        if isinstance(value, bool) and now is not value:
            changes[name] = value
    elif isinstance(now, (int, float)):
        if value is True and not now:
            changes[name] = 0.5 if isinstance(now, float) else 1
        elif isinstance(value, float) and now <= value:
            changes[name] = value + 0.5 if isinstance(now, float) else int(value) + 1


def _guards(tree: ast.AST, line: int) -> Iterator[tuple[ast.expr, bool]]:
    """The tests that decide whether a line of a function runs, with what they have to give."""
    inside: list[ast.AST] = [node for node in ast.walk(tree) if _is_in(node, line)]
    functions = [node for node in inside if isinstance(node, _FUNCTIONS)]
    if not functions:
        return
    innermost = max(functions, key=lambda node: node.lineno)
    yield from _within(innermost.body, line)


def _within(body: list[ast.stmt], line: int) -> Iterator[tuple[ast.expr, bool]]:
    for node in body:
        if _is_in(node, line):
            if isinstance(node, ast.If):
                in_body = any(_is_in(part, line) for part in node.body)
                if in_body or any(_is_in(part, line) for part in node.orelse):
                    yield node.test, in_body
            for name in ("body", "orelse", "finalbody"):
                yield from _within(getattr(node, name, []), line)
            return
        if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], _LEAVING):
            yield node.test, False


def _is_in(node: ast.AST, line: int) -> bool:
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is not None and last is not None and first <= line <= last


def _asked(test: ast.expr, wanted: bool) -> Iterator[tuple[str, Any]]:
    """Names that decide a test, with what they have to be: a bool, above a number, or something."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from _asked(inner, not wanted)
        case ast.BoolOp(op=operator, values=values):
            if isinstance(operator, ast.And) == wanted:
                for value in values:
                    yield from _asked(value, wanted)
            else:
                yield from _asked(values[0], wanted)
        case ast.Compare(left=left, ops=[ast.Gt()], comparators=[ast.Constant(value=number)]):
            if wanted and isinstance(number, (int, float)):
                yield dotted(left), float(number)
        case ast.Compare(left=left, ops=[comparison], comparators=[ast.Constant(value=None)]):
            if isinstance(comparison, ast.IsNot if wanted else ast.Is):
                yield dotted(left), _SOMETHING
        case ast.Name() | ast.Attribute():
            yield dotted(test), wanted


def _kept(initialiser: ast.AST) -> dict[str, str]:
    """The arguments of a constructor that attributes of ``self`` are, by attribute."""
    return {
        target.attr: node.value.id
        for node in ast.walk(initialiser)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
        for target in node.targets
        if isinstance(target, ast.Attribute) and dotted(target.value) == "self"
    }
