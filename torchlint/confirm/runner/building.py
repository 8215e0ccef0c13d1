"""Builds instances of the user's classes from call sites, defaults, annotations and names."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .callsites import arguments_of_calls
from .experiments import describe
from .guesses import WIDTH, by_name, device_name, tells_size
from .limits import Overtime, time_limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .loading import Program

_TRIES = 30
_SECONDS = 4.0


class CannotBuildError(Exception):
    """No arguments were found with which the class can be instantiated."""


@dataclass(frozen=True)
class Recipe:
    """A class and the arguments that it takes; ``guessed`` are those whose guess may matter.

    A guessed size decides nothing that an experiment asks; a guessed layer, flag or mode may.
    ``way`` says where the arguments come from.
    """

    cls: type
    arguments: dict[str, Any] = field(default_factory=dict)
    guessed: tuple[str, ...] = ()
    way: str = "names"

    def make(self, seed: int = 0) -> Any:
        """An instance, initialised from the seed."""
        torch.manual_seed(seed)
        with time_limit(_SECONDS):
            return self.cls(**self.arguments)


def recipe(cls: type, program: Program, depth: int = 0) -> Recipe:
    """How to build the class; raises CannotBuildError with the last failure."""
    failure: BaseException | None = None
    for candidate in itertools.islice(_recipes(cls, program, depth), _TRIES):
        try:
            candidate.make()
        except (Exception, Overtime) as error:
            failure = failure or error
        else:
            return candidate
    why = describe(failure) if failure else "its arguments are unknown"
    raise CannotBuildError(f"could not build {cls.__name__}: {why}")


def _recipes(cls: type, program: Program, depth: int) -> Iterator[Recipe]:
    parameters = required(cls)
    told = _told_device(cls)
    for arguments in arguments_of_calls(cls, program):
        yield Recipe(cls, {**arguments, **told}, way="call site")
    if not parameters:
        yield Recipe(cls, told, way="defaults")
        return
    choices = [_candidates(parameter, cls, program, depth) for parameter in parameters]
    for chosen in _nearest_first(choices):
        arguments = {
            parameter.name: value for parameter, value in zip(parameters, chosen, strict=False)
        }
        arguments.update(told)
        guessed = tuple(name for name, value in arguments.items() if not _is_size(name, value))
        yield Recipe(cls, arguments, guessed)


def _told_device(cls: type) -> dict[str, Any]:
    """The device, where the constructor takes one: its default is not where the program runs."""
    return {"device": device_name()} if "device" in _parameters(cls) else {}


def required(cls: type) -> list[inspect.Parameter]:
    """The constructor's parameters that have no default."""
    parameters = list(_parameters(cls).values())
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [item for item in parameters if item.default is item.empty and item.kind not in variadic]


def _parameters(cls: type) -> dict[str, inspect.Parameter]:
    try:
        found = list(inspect.signature(cls.__init__).parameters.items())  # type: ignore[misc]
    except (TypeError, ValueError):
        return {}
    return dict(found[1:])


def _is_size(name: str, value: object) -> bool:
    if name == "device":
        return True
    numbers = isinstance(value, (int, float)) and not isinstance(value, bool)
    sequence = isinstance(value, (list, tuple)) and all(type(item) is int for item in value)
    return (numbers or sequence) and tells_size(name)


def _nearest_first(choices: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """Combinations of candidates, those that depart least from the first choices first."""
    ranks = itertools.product(*(range(min(len(choice), 4)) for choice in choices[:6]))
    tail = [choice[0] for choice in choices[6:]]
    for picked in sorted(ranks, key=lambda rank: (sum(rank), sum(1 for item in rank if item))):
        yield (*(choice[index] for choice, index in zip(choices, picked, strict=False)), *tail)


def _candidates(parameter: inspect.Parameter, cls: type, program: Program, depth: int) -> list[Any]:
    """Values to try for a parameter, the likeliest first."""
    annotated = list(_by_annotation(parameter, program, depth))
    used = list(_by_use(parameter.name, cls, program))
    named = [by_name(parameter.name)]
    rest = [WIDTH, [2, 2], nn.Identity(), 2, "x", None]
    return [*annotated, *used, *named, *rest]


def _by_annotation(parameter: inspect.Parameter, program: Program, depth: int) -> Iterator[Any]:
    wanted = parameter.annotation
    text = wanted if isinstance(wanted, str) else getattr(wanted, "__name__", str(wanted))
    value = by_name(parameter.name)
    number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else WIDTH
    if text == "int":
        yield int(number) or WIDTH
    elif text == "float":
        yield float(number) if number != WIDTH else 0.1
    elif text == "bool":
        yield False
    elif text == "str":
        yield "x"
    elif re.match(r"(typing\.)?(list|tuple|sequence)\b", text, re.IGNORECASE):
        yield [number] * 3
    elif re.search(r"\b(nn\.)?Module$", text):
        yield nn.Identity()
    elif isinstance(wanted, type) and issubclass(wanted, torch.Tensor):
        yield torch.randn(8, WIDTH)
    elif isinstance(wanted, type) and depth < 2 and program.finder.owns(_file_of(wanted)):
        yield recipe(wanted, program, depth + 1).make()


def _file_of(cls: type) -> str:
    try:
        return inspect.getfile(cls)
    except (OSError, TypeError):
        return ""


def _by_use(name: str, cls: type, program: Program) -> Iterator[Any]:
    """What the constructor and the methods do with the argument, or with ``self.<argument>``."""
    node = class_node(cls, program)
    if node is None:
        return
    means = _Means(name)
    means.visit(node)
    if means.compared:
        yield means.compared[0]
    if means.called:
        yield nn.Linear(WIDTH, WIDTH)
        yield nn.ReLU
    if means.iterated:
        yield [by_name(name)] * 3
    if means.indexed or means.measured:
        yield torch.randn(8, WIDTH)
        yield [(torch.randn(WIDTH), 0)] * 8


class _Means(ast.NodeVisitor):
    """Collects how a name, plain or as an attribute of ``self``, is used."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.compared: list[str] = []
        self.called = self.iterated = self.indexed = self.measured = False

    def _meant(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute):
            on_self = isinstance(node.value, ast.Name) and node.value.id == "self"
            return on_self and node.attr == self._name
        return isinstance(node, ast.Name) and node.id == self._name

    def visit_Call(self, node: ast.Call) -> None:
        """Calls of it, and of what asks for its length."""
        self.called |= self._meant(node.func)
        if isinstance(node.func, ast.Name) and node.func.id in ("len", "enumerate"):
            self.measured |= any(self._meant(argument) for argument in node.args)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        """Loops over it."""
        self.iterated |= self._meant(node.iter)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Items of it."""
        self.indexed |= self._meant(node.value)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Strings that it is compared with."""
        if self._meant(node.left):
            for other in node.comparators:
                if isinstance(other, ast.Constant) and isinstance(other.value, str):
                    self.compared.append(other.value)
        self.generic_visit(node)


def class_node(cls: type, program: Program) -> ast.ClassDef | None:
    """The definition of a class of the project, None for one from elsewhere."""
    file = _file_of(cls)
    if not program.finder.owns(file):
        return None
    for node in ast.walk(program.tree(file)):
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            return node
    return None
