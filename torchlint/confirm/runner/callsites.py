"""Arguments that the project itself gives a class, evaluated where they are plain enough."""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any

from .limits import Overtime, time_limit
from .statements import dotted
from .taint import Poison, StandIn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .loading import Program

Function = ast.FunctionDef | ast.AsyncFunctionDef
_MOST = 6
_DEPTH = 3


class _UnknownError(Exception):
    """The expression depends on what only a run of the program could tell."""


def arguments_of_calls(cls: type, program: Program) -> Iterator[dict[str, Any]]:
    """Arguments by name, one set a call of the class in the target's file."""
    try:
        signature = inspect.signature(cls)
    except (TypeError, ValueError):
        return
    for call, function in _calls(cls.__name__, program.tree())[:_MOST]:
        reader = _Reader(program, function)
        try:
            positional = [reader.value(argument) for argument in call.args]
            if any(word.arg is None for word in call.keywords):
                continue
            named = {str(word.arg): reader.value(word.value) for word in call.keywords}
            yield dict(signature.bind(*positional, **named).arguments)
        except (_UnknownError, TypeError):
            continue


def _calls(name: str, tree: ast.AST) -> list[tuple[ast.Call, Function | None]]:
    found: list[tuple[ast.Call, Function | None]] = []

    def visit(node: ast.AST, function: Function | None) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function = node
        if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] == name:
            found.append((node, function))
        for child in ast.iter_child_nodes(node):
            visit(child, function)

    visit(tree, None)
    return found


class _Reader:
    """Evaluates an expression of a function from constants, defaults and the module's names."""

    def __init__(self, program: Program, function: Function | None) -> None:
        self._program = program
        self._function = function

    def value(self, node: ast.expr, depth: int = 0) -> Any:
        if isinstance(node, ast.Starred) or depth > _DEPTH:
            raise _UnknownError
        scope = {}
        for name in {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}:
            local = self._local(name, node.lineno)
            if local is not None:
                scope[name] = self.value(local, depth + 1)
            elif self._is_parameter(name):
                raise _UnknownError
        return self._evaluate(node, scope)

    def _evaluate(self, node: ast.expr, scope: dict[str, Any]) -> Any:
        code = compile(ast.Expression(node), self._program.file, "eval", dont_inherit=True)
        self._program.provide(*(name for name in code.co_names if name not in scope))
        try:
            with time_limit(3.0):
                value = eval(code, {**self._program.names, **scope})
        except (Exception, Overtime) as error:
            raise _UnknownError from error
        if isinstance(value, (Poison, StandIn)):
            raise _UnknownError
        return value

    def _local(self, name: str, line: int) -> ast.expr | None:
        """The last plain assignment to the name before the line, else its default."""
        if self._function is None:
            return None
        assigned = [
            part.value
            for part in ast.walk(self._function)
            if isinstance(part, ast.Assign)
            and part.lineno < line
            and any(isinstance(to, ast.Name) and to.id == name for to in part.targets)
        ]
        return assigned[-1] if assigned else _defaults(self._function).get(name)

    def _is_parameter(self, name: str) -> bool:
        return self._function is not None and name in {
            argument.arg for argument in _arguments(self._function)
        }


def _arguments(function: Function) -> list[ast.arg]:
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _defaults(function: Function) -> dict[str, ast.expr]:
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    with_default = positional[len(positional) - len(given.defaults) :]
    found = {
        argument.arg: value for argument, value in zip(with_default, given.defaults, strict=True)
    }
    for argument, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        if value is not None:
            found[argument.arg] = value
    return found
