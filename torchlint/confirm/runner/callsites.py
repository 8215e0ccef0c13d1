"""Arguments that the project itself gives what it calls, evaluated where they are plain enough."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import os
from itertools import islice
from typing import TYPE_CHECKING, Any

from .limits import Overtime, time_limit
from .signatures import signature_of
from .statements import dotted
from .taint import Poison, StandIn
from .trees import parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .loading import Program

Function = ast.FunctionDef | ast.AsyncFunctionDef
_MOST = 6
_DEPTH = 3
_OTHER_FILES = 3


class _UnknownError(Exception):
    """The expression depends on what only a run of the program could tell."""


def arguments_of_calls(
    cls: type, program: Program, elsewhere: bool = False
) -> Iterator[dict[str, Any]]:
    """Arguments by name, one set a call of the class; those that are not plain are left out.

    The calls are those of the target's file and of the class's own, or else of other files.
    """
    given = _given(cls, program, elsewhere)
    return islice((known for known, lacking in given if known or not lacking), _MOST)


def options_of_calls(
    called: Callable[..., Any], program: Program, names: Iterable[str]
) -> tuple[list[dict[str, Any]], set[str]]:
    """What the project's calls say of some arguments, and those of which only a run could tell.

    There is a set of values for each way of calling it, none where nothing calls it.
    """
    asked, sets, unknown = set(names), [], set[str]()
    near = list(_given(called, program, False, asked))
    for known, lacking in near or _given(called, program, True, asked):
        unknown |= lacking
        sets.append(known)
    return list({repr(each): each for each in sets}.values())[:_MOST], unknown


def _given(
    called: Callable[..., Any], program: Program, elsewhere: bool, asked: set[str] | None = None
) -> Iterator[tuple[dict[str, Any], set[str]]]:
    """For each call the arguments that can be told, and the names of the others, of those asked."""
    try:
        signature = signature_of(called)
    except (TypeError, ValueError):
        return
    near = _near(called, program)
    for file in _far(called, program, near) if elsewhere else near:
        for call, function in _calls(program.tree(file)).get(called.__name__, ()):
            arguments = _bound(call, signature)
            if arguments is None:
                continue
            if asked is not None:
                arguments = {name: node for name, node in arguments.items() if name in asked}
            reader, known = _Reader(program, file, function), {}
            for name, node in arguments.items():
                with contextlib.suppress(_UnknownError):
                    known[name] = reader.value(node)
            yield known, arguments.keys() - known.keys()


def _bound(call: ast.Call, signature: inspect.Signature) -> dict[str, ast.expr] | None:
    """The arguments of a call by their names, None for a call that is not taken apart."""
    if any(isinstance(item, ast.Starred) for item in call.args):
        return None
    named = {word.arg: word.value for word in call.keywords if word.arg is not None}
    try:
        bind = signature.bind_partial if len(named) < len(call.keywords) else signature.bind
        bound = bind(*call.args, **named)
    except TypeError:
        return None
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    rest = [name for name in bound.arguments if signature.parameters[name].kind in several]
    if any(bound.arguments[name] for name in rest):
        return None
    return {name: node for name, node in bound.arguments.items() if name not in rest}


def _near(called: Callable[..., Any], program: Program) -> list[str]:
    own = os.path.abspath(inspect.getsourcefile(called) or program.file)
    return list(dict.fromkeys([program.file, own] if program.finder.owns(own) else [program.file]))


def _far(called: Callable[..., Any], program: Program, near: list[str]) -> Iterator[str]:
    """Other files of the project that call it."""
    left = _OTHER_FILES
    for file in program.naming(f"{called.__name__}("):
        if left and file not in near:
            left -= 1
            with contextlib.suppress(SyntaxError, ValueError):
                program.tree(file)
                yield file


@functools.lru_cache(maxsize=64)
def _calls(tree: ast.AST) -> dict[str, list[tuple[ast.Call, Function | None]]]:
    """The calls of a file by the last name of what is called, with the functions around them."""
    found: dict[str, list[tuple[ast.Call, Function | None]]] = {}

    def visit(node: ast.AST, function: Function | None) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function = node
        if isinstance(node, ast.Call):
            name = dotted(node.func).rpartition(".")[2]
            found.setdefault(name, []).append((node, function))
        for child in ast.iter_child_nodes(node):
            visit(child, function)

    visit(tree, None)
    return found


class _Reader:
    """Evaluates an expression of a function from constants, defaults and the module's names."""

    def __init__(self, program: Program, file: str, function: Function | None) -> None:
        self._program = program
        self._file = file
        self._function = function

    def value(self, node: ast.expr, depth: int = 0) -> Any:
        if isinstance(node, ast.Starred) or depth > _DEPTH:
            raise _UnknownError
        scope = {}
        for name in {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}:
            local = self._local(name, node.lineno)
            if local is not None:
                scope[name] = self.value(local, depth + 1)
            elif self._is_local(name):
                raise _UnknownError
        return self._evaluate(node, scope)

    def _evaluate(self, node: ast.expr, scope: dict[str, Any]) -> Any:
        code = compile(ast.Expression(node), self._file, "eval", dont_inherit=True)
        try:
            module = self._program.module(self._file)
            for name in code.co_names:
                if name not in scope:
                    getattr(module, name, None)
            with time_limit(3.0):
                value = eval(code, {**vars(module), **scope})
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
            for part in parts(self._function)
            if isinstance(part, ast.Assign)
            and part.lineno < line
            and any(isinstance(to, ast.Name) and to.id == name for to in part.targets)
        ]
        return assigned[-1] if assigned else _defaults(self._function).get(name)

    def _is_local(self, name: str) -> bool:
        """Whether the function has the name from what it is given, or from a loop."""
        if self._function is None:
            return False
        bound = {
            part.id
            for part in parts(self._function)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        return name in bound | {argument.arg for argument in _arguments(self._function)}


def _arguments(function: Function) -> list[ast.arg]:
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return [*every, *(item for item in (given.vararg, given.kwarg) if item is not None)]


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
