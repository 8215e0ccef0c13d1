"""Builds instances of the user's classes from call sites, defaults, annotations and names."""

from __future__ import annotations

import ast
import copy
import inspect
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import torch

from . import taint
from .callsites import arguments_of_calls
from .configs import MadeUp
from .corrections import Failure, corrections
from .defaults import by_default
from .experiments import describe
from .guesses import WIDTH, device_name, tells_size
from .limits import Budget, Overtime, time_limit
from .means import Usage
from .proposals import Wanted, proposals
from .signatures import signature_of
from .trees import parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .loading import Program

_TRIES = 40
_SECONDS = 4.0
_ALL_SECONDS = 6.0
_DEPTH = 2
_SIDEWAYS = 3
_WIDER = 4


class CannotBuildError(Exception):
    """No arguments were found with which the class can be instantiated."""


@dataclass(frozen=True)
class Recipe:
    """A class and the arguments that it takes; ``guessed`` are those whose guess may matter.

    A guessed size decides nothing that an experiment asks; a guessed layer, flag or mode may.
    Those that are ``supposed`` are settings by default, which matter only to what does not show.
    ``way`` says where the arguments come from, ``sizes`` are those that are guessed widths.
    """

    cls: type
    arguments: dict[str, Any] = field(default_factory=dict)
    guessed: tuple[str, ...] = ()
    way: str = "names"
    sizes: tuple[str, ...] = ()
    supposed: tuple[str, ...] = ()

    def wider(self) -> Recipe:
        """The same with larger sizes where they are guessed: of some a part is taken."""
        more = {name: _WIDER * self.arguments[name] for name in self.sizes}
        return replace(self, arguments={**self.arguments, **more})

    def note(self, guess: Callable[[str], None]) -> None:
        """Record what an object that is built like this depends on."""
        for name in self.guessed:
            guess(f"`{name}` of {self.cls.__name__} was guessed")
        for name in self.supposed:
            taint.suppose(f"`{name}` of {self.cls.__name__} is as it is by default")

    def make(self, seed: int = 0) -> Any:
        """An instance, initialised from the seed; only what is guessed is shared with others."""
        torch.manual_seed(seed)
        arguments = {
            name: value if name in self.guessed else _own(value)
            for name, value in self.arguments.items()
        }
        with time_limit(_SECONDS):
            return self.cls(**arguments)

    def again(self, seed: int) -> Any:
        """An instance once more; raises CannotBuildError where the first one has used up something.

        What a constructor opens may be gone then, or lie where there was none before.
        """
        try:
            return self.make(seed)
        except Exception as error:
            name = self.cls.__name__
            raise CannotBuildError(
                f"could build {name} once, and not again: {describe(error)}"
            ) from error


def _own(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def recipe(
    cls: type,
    program: Program,
    depth: int = 0,
    seconds: float = _ALL_SECONDS,
    watched: bool = False,
) -> Recipe:
    """How to build the class; raises CannotBuildError with the first failure.

    Where each attempt is ``watched``, what it shows depends on what was guessed for it.
    """
    return _Search(cls, program, depth, seconds, watched).found()


@dataclass(frozen=True)
class _Start:
    """Arguments to begin with; those in ``told`` are the project's own."""

    arguments: dict[str, Any]
    told: frozenset[str]
    way: str


class _Search:
    """Looks for arguments with which a class can be built."""

    def __init__(
        self, cls: type, program: Program, depth: int, seconds: float, watched: bool
    ) -> None:
        self._watched = watched
        self._cls = cls
        self._program = program
        self._depth = depth
        self._parameters = _parameters(cls)
        self._required = required(cls)
        self._tried = 0
        self._budget = Budget(seconds)
        self._proposed: dict[str, list[Any]] = {}
        self._usage: Usage | None = None
        self._by_default: list[Any] = []

    def found(self) -> Recipe:
        """The first arguments that do; those that come farthest are corrected."""
        failures: list[tuple[Failure, _Start]] = []
        for start in self._starts():
            made = self._try(start.arguments, start.told)
            if not isinstance(made, Failure):
                return self._recipe(start.arguments, start)
            failures.append((made, start))
            guessed = self._guessed(start.arguments, start.told)
            # What fails there by the project's own arguments is not to be covered by guesses.
            asked = self._watched and not guessed and made.passes(self._program.job.target)
            if asked or self._budget.left < 0:
                self._budget = Budget(0)
                break
        if not failures:
            raise CannotBuildError(f"could not build {self._cls.__name__}: nothing is known of it")
        farthest = max(failures, key=lambda each: each[0].progress)
        return self._corrected(*farthest, failures[0][0])

    def _starts(self) -> Iterator[_Start]:
        """What to try first: the project's own calls, then defaults, then guesses."""
        device = {"device": device_name()} if "device" in self._parameters else {}
        needed = {item.name for item in self._required}
        partial: list[dict[str, Any]] = []
        for elsewhere in (False, True):
            for known in arguments_of_calls(self._cls, self._program, elsewhere):
                if needed <= known.keys():
                    yield _Start({**known, **device}, frozenset(known), "call site")
                else:
                    partial.append(known)
            if not needed and not elsewhere:
                yield _Start(device, frozenset(), "defaults")
        for known in [*partial[:2], {}] if needed else []:
            guessed = {
                item.name: self._proposals(item.name)[0]
                for item in self._required
                if item.name not in known
            }
            way = "call site" if known else "config" if self._has_settings(guessed) else "names"
            yield _Start({**guessed, **known, **device}, frozenset(known), way)

    def _has_settings(self, arguments: dict[str, Any]) -> bool:
        plain = (bool, int, float, str, list, tuple, type(None), torch.nn.Module, torch.Tensor)
        return any(
            isinstance(value, MadeUp) or not isinstance(value, (*plain, type))
            for value in arguments.values()
        )

    def _try(self, arguments: dict[str, Any], told: frozenset[str]) -> Failure | None:
        """Build it."""
        self._tried += 1
        try:
            Recipe(self._cls, arguments).make()
        except (Exception, Overtime) as error:
            if self._watched:
                self._recipe(arguments, _Start({}, told, "")).note(taint.note)
            return Failure(error, arguments, self._cls)
        return None

    def _corrected(self, failure: Failure, start: _Start, first: Failure) -> Recipe:
        """Change the arguments that failures speak of, as long as that leads farther."""
        best, seen, level = failure, {_key(failure.arguments)}, 0
        while True:
            better = None
            for changes in corrections(best, self._parameters, self._proposals):
                if self._tried >= _TRIES or self._budget.left < 0:
                    break
                arguments = {**best.arguments, **changes}
                if _key(arguments) in seen:
                    continue
                seen.add(_key(arguments))
                told = frozenset(
                    key for key in start.told if arguments.get(key) is start.arguments[key]
                )
                made = self._try(arguments, told)
                if made is None:
                    return self._recipe(arguments, _Start(start.arguments, told, "repaired"))
                kinds = (type(best.error), TypeError, AttributeError)
                same = made.progress == best.progress and not isinstance(made.error, kinds)
                if made.progress > best.progress or (same and level < _SIDEWAYS):
                    level += same
                    better = made
                    break
            if better is None:
                why = describe(first.error)
                raise CannotBuildError(f"could not build {self._cls.__name__}: {why}")
            best = better

    def _proposals(self, name: str) -> list[Any]:
        if name not in self._proposed:
            parameter = self._parameters.get(name)
            if parameter is None:
                parameter = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY)
            if self._usage is None:
                own = class_node(self._cls, self._program)
                nodes: list[ast.AST] = [own] if own is not None else []
                nodes.extend(self._initialisers())
                module = sys.modules.get(self._cls.__module__)
                self._usage = Usage(self._parameters, nodes, module)
            wanted = Wanted(parameter, self._cls, self._usage, self._program, self._build)
            found = self._proposed[name] = [*proposals(wanted)]
            self._by_default += by_default(found, wanted.annotation, self._program)
        return self._proposed[name]

    def _initialisers(self) -> Iterator[ast.AST]:
        """The constructor, where a base has it."""
        from .uses import function_node

        code = getattr(self._cls.__init__, "__code__", None)  # type: ignore[misc]
        node = function_node(code, self._program) if code is not None else None
        if node is not None and "__init__" not in vars(self._cls):
            yield node

    def _build(self, cls: type) -> Any:
        """An object of another class of the project, None where there is none."""
        left, depth = self._budget.left / 2, self._depth + 1
        if depth > _DEPTH or left < 0 or not self._program.finder.owns(_file_of(cls)):
            return None
        least, most = self._program.unbuilt.get(cls, (depth + 1, 0.0))
        if depth >= least and left <= most:
            return None  # it was tried in vain with more time, and with more to be built for it
        try:
            return recipe(cls, self._program, depth, left, self._watched).make()
        except (CannotBuildError, Exception, Overtime):
            self._program.unbuilt[cls] = depth, left
            return None

    def _recipe(self, arguments: dict[str, Any], start: _Start) -> Recipe:
        guessed = self._guessed(arguments, start.told)
        for value in arguments.values():
            guessed.extend(sorted(value.guessed_) if isinstance(value, MadeUp) else ())
        sizes = [
            name
            for name, value in arguments.items()
            if name not in start.told and type(value) is int and value == WIDTH
        ]
        supposed = [
            name
            for name, value in arguments.items()
            if name not in start.told and self._is_by_default(value)
        ]
        return Recipe(
            self._cls, arguments, tuple(guessed), start.way, tuple(sizes), tuple(supposed)
        )

    def _guessed(self, arguments: dict[str, Any], told: frozenset[str]) -> list[str]:
        """The arguments that were guessed, and whose guess may matter."""
        return [
            name
            for name, value in arguments.items()
            if name not in told
            and not isinstance(value, MadeUp)
            and not _is_size(name, value)
            and not self._is_by_default(value)
        ]

    def _is_by_default(self, value: Any) -> bool:
        return any(value is known for known in self._by_default)


def _key(arguments: dict[str, Any]) -> str:
    plain = (bool, int, float, str, list, tuple, dict, type(None), type)
    parts = [
        (name, repr(value) if isinstance(value, plain) else id(value))
        for name, value in sorted(arguments.items())
    ]
    return repr(parts)


def required(cls: type) -> list[inspect.Parameter]:
    """The constructor's parameters that have no default."""
    parameters = list(_parameters(cls).values())
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [item for item in parameters if item.default is item.empty and item.kind not in variadic]


def _parameters(cls: type) -> dict[str, inspect.Parameter]:
    try:
        found = list(signature_of(cls.__init__).parameters.items())  # type: ignore[misc]
    except (TypeError, ValueError):
        return {}
    return dict(found[1:])


def _is_size(name: str, value: object) -> bool:
    if name == "device":
        return True
    numbers = isinstance(value, (int, float)) and not isinstance(value, bool)
    sequence = isinstance(value, (list, tuple)) and all(type(item) is int for item in value)
    return (numbers or sequence) and tells_size(name)


def _file_of(cls: type) -> str:
    try:
        return inspect.getfile(cls)
    except (OSError, TypeError):
        return ""


def class_node(cls: type, program: Program) -> ast.ClassDef | None:
    """The definition of a class of the project, None for one from elsewhere."""
    file = _file_of(cls)
    if not program.finder.owns(file):
        return None
    for node in parts(program.tree(file)):
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            return node
    return None
