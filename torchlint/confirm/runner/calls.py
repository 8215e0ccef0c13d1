"""Ways to call a single function of the user's, with made-up arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch

from . import taint
from .accelerator import Accelerator
from .batches import Followed, scaled
from .building import CannotBuildError, recipe
from .callers import Unit, bound_by_imports
from .callsites import options_of_calls
from .inputs import Subject, is_tensor, subject_of_function, subject_of_module
from .loading import Program
from .recorder import Observer, Recorder
from .roles import UNTYPED_DATA, Usage, usages
from .signatures import signature_of
from .surrogates import Surrogates
from .trees import parts
from .trials import find_inputs, values

Act = Callable[[Program, Recorder], None]

_INPUTS = 4
SECONDS = 5.0


@dataclass(frozen=True)
class Call:
    """Calls a function, or a method of an instance, with stand-ins for what it is given."""

    unit: Unit
    plan: Followed
    matters: frozenset[str]

    def __call__(self, program: Program, recorder: Recorder) -> None:
        """Load what the function needs, make its arguments, call it."""
        matters = self.matters | ({"data"} if UNTYPED_DATA in self.matters else set())
        surrogates = Surrogates(self.plan, recorder.observer.drew_batch, matters)
        top = self.unit.scope.partition(".")[0]
        program.provide(top)
        self._fill_poisoned(program, surrogates)
        observer = recorder.observer
        function = self._function(program, surrogates, observer)
        arguments = surrogates.arguments(function, self.unit.node)
        observer.returned(function(**observer.placed(arguments)))

    def _function(
        self, program: Program, surrogates: Surrogates, observer: Observer
    ) -> Callable[..., Any]:
        if not self.unit.class_name:
            found: Callable[..., Any] = program.scope_object(self.unit.scope)
            return found
        cls = program.scope_object(self.unit.class_name)
        node = _class_node(program.tree(self.unit.file), self.unit.class_name)
        instance = cls(**observer.placed(surrogates.arguments(cls, _initialiser(node), [node])))
        bound: Callable[..., Any] = getattr(instance, self.unit.name)
        return bound

    def _fill_poisoned(self, program: Program, surrogates: Surrogates) -> None:
        """Globals that could not be computed are stood in for like arguments; imports are not."""
        names = program.names
        unset = (taint.Poison, taint.StandIn)
        imported = bound_by_imports(program.tree())
        lost: dict[str, Usage] = {
            name: usage
            for name, usage in usages([self.unit.node]).items()
            if isinstance(names.get(name), unset) and name not in imported
        }
        names.update(surrogates.values(lost, [self.unit.node]))


@dataclass(frozen=True)
class Alone:
    """Calls a function of tensors, or a method of a module that is built for it.

    ``anyhow`` says that what is guessed for the module does not matter to what is shown, and
    ``on`` is an option of the module that is turned on. Classes that cannot be built are put into
    ``unbuilt``.
    """

    unit: Unit
    matters: frozenset[str]
    unbuilt: set[str]
    anyhow: bool = False
    on: str = ""

    def __call__(self, program: Program, recorder: Recorder) -> None:
        """Call it on several inputs, scaled differently."""
        program.provide(self.unit.scope.partition(".")[0])
        subject = self._subject(program)
        recorder.observer.placed({"self": subject.module})
        typed = {item.name for item in subject.parameters if is_tensor(item)}
        for name in [item.name for item in subject.parameters]:
            if "data" in self.matters or (UNTYPED_DATA in self.matters and name not in typed):
                _note_made_up(name)
        specs = find_inputs(subject, SECONDS / 2, program.job.seed)
        for name, value in values(specs, program.job.seed).items():
            if UNTYPED_DATA in self.matters and not isinstance(value, torch.Tensor):
                _note_made_up(name)
        options = _options_of_calls(subject, program) or [{}]
        for number in range(max(_INPUTS, len(options))):
            made = values(specs, program.job.seed + number)
            made = {name: scaled(value, 10.0**number) for name, value in made.items()}
            made |= options[number % len(options)]
            subject.run(recorder.observer.placed(made))

    def _subject(self, program: Program) -> Subject:
        if not self.unit.class_name:
            return subject_of_function(program.scope_object(self.unit.scope), program)
        cls = program.scope_object(self.unit.class_name)
        if not (isinstance(cls, type) and issubclass(cls, torch.nn.Module)):
            self.unbuilt.add(self.unit.class_name)
            raise CannotBuildError(f"{self.unit.class_name} is not a module")
        try:
            found = recipe(cls, program, watched=not self.anyhow)
        except CannotBuildError:
            self.unbuilt.add(self.unit.class_name)
            raise
        if self.on:
            taint.suppose(f"`{self.on}` of {self.unit.class_name} was turned on")
            found = replace(found, arguments={**found.arguments, self.on: True})
        found.note(taint.suppose if self.anyhow else taint.note)
        return subject_of_module(found.make(program.job.seed), program, self.unit.name)


def _options_of_calls(subject: Subject, program: Program) -> list[dict[str, Any]]:
    """What the project's own calls give for arguments that may be left out."""
    if subject.call is subject.module:
        return []
    asked = {item.name for item in subject.parameters}
    parameters = signature_of(subject.call).parameters.values()
    left_out = [item.name for item in parameters if item.name not in asked]
    if not left_out:
        return []
    found, unknown = options_of_calls(subject.call, program, left_out)
    for name in sorted(unknown) if found else left_out:
        taint.suppose(f"`{name}` is as it is by default, and calls may give another")
    return found


def options(constructor: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The arguments that are off unless they are given."""
    given = constructor.args
    named = [*given.posonlyargs, *given.args]
    late = zip(named[len(named) - len(given.defaults) :], given.defaults, strict=True)
    pairs = [*late, *zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return [
        item.arg
        for item, default in pairs
        if isinstance(default, ast.Constant) and default.value is False
    ]


def _note_made_up(name: str) -> None:
    taint.note(f"`{name}` is made up, and the question is about it")


def on_accelerator(act: Act) -> Act:
    """The same, with a device that is there for whoever asks and refuses nothing."""

    def simulated(program: Program, recorder: Recorder) -> None:
        with Accelerator(recorder.project, recorder.target):
            act(program, recorder)

    return simulated


def _class_node(tree: ast.Module, name: str) -> ast.ClassDef:
    last = name.rpartition(".")[2]
    return next(
        node for node in parts(tree) if isinstance(node, ast.ClassDef) and node.name == last
    )


def _initialiser(node: ast.ClassDef) -> ast.AST:
    own = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    return next((part for part in own if part.name == "__init__"), node)
