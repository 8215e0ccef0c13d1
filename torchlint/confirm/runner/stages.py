"""Finds what to run for a flagged place: the module or function around it, and inputs for it."""

from __future__ import annotations

import ast
import copy
import functools
import itertools
import os
import time
import types
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .building import CannotBuildError, Recipe, class_node, recipe
from .callers import CallGraph, Unit, related
from .fitting import fitted
from .flags import Turned, turned_for
from .inputs import Subject, subject_of_function, subject_of_module
from .limits import Overtime
from .loading import Program, load
from .places import Project
from .protocol import ABSENT, OPEN, Job, Observation
from .statements import dotted
from .taint import TaintedUseError
from .trials import NoInputsError, find_inputs, tensors, values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .specs import Spec

_SCOPES = 6


class NoStageError(Exception):
    """The flagged code cannot be run on its own; the message is the reason."""


@dataclass
class Stage:
    """A way to run the flagged code.

    Every call of ``fresh`` gives a subject that nothing has touched. ``guessed`` are the arguments
    whose values were guessed and may matter, ``supposed`` the settings by default; ``inner`` says
    that its input may require grad, ``turned`` which flags are given so that the flagged line runs.
    """

    fresh: Callable[[], Subject]
    specs: dict[str, Spec]
    guessed: tuple[str, ...] = ()
    inner: bool = True
    turned: Turned = Turned()  # noqa: RUF009  (frozen)
    supposed: tuple[str, ...] = ()

    def inputs(self, seed: int) -> dict[str, Any]:
        """The inputs of a seed."""
        return {**values(self.specs, seed), **self.turned.called}


def over_stages(job: Job, look: Callable[[Program, Stage], Observation]) -> Observation:
    """The first decisive observation; a run that stood on stand-ins or guesses decides nothing."""
    program = load(job)
    try:
        return _first_decisive(program, look)
    finally:
        program.close()


def _first_decisive(program: Program, look: Callable[[Program, Stage], Observation]) -> Observation:
    seen = nothing = Observation(OPEN, reason="the flagged code could not be run on its own")
    try:
        for stage in stages(program, program.job.seconds / 2):
            looked = _trusted(look(program, stage), program, stage)
            if looked.outcome != OPEN:
                return looked
            seen = looked if seen is nothing else seen
    except (NoStageError, NoInputsError, CannotBuildError, TaintedUseError) as error:
        seen = Observation(OPEN, reason=str(error)) if seen is nothing else seen
    return seen


def _trusted(seen: Observation, program: Program, stage: Stage) -> Observation:
    """The observation, unless the run stood on something that is not the user's."""
    if seen.outcome != OPEN and program.tainted:
        return Observation(OPEN, reason=program.tainted[0])
    if seen.outcome != OPEN and stage.guessed:
        guessed = ", ".join(f"`{name}`" for name in stage.guessed)
        return Observation(OPEN, reason=f"the value of {guessed} had to be guessed")
    if seen.outcome == ABSENT and stage.turned.filled:
        return Observation(OPEN, reason=f"it does not show with `{stage.turned}`, which is made up")
    if seen.outcome == ABSENT and stage.supposed:
        settings = ", ".join(f"`{name}`" for name in stage.supposed)
        return Observation(OPEN, reason=f"it does not show with {settings} as it is by default")
    if seen.evidence and stage.turned:
        return replace(seen, evidence=f"with `{stage.turned}`, {seen.evidence}")
    return seen


def stages(program: Program, seconds: float) -> Iterator[Stage]:
    """Ways to run the code at the target, the most natural first.

    The code's own module or function comes first, then what leads to it: places of the finding's
    chain, and callers. Where there is no way at all the failure of the first is raised.
    """
    failure: Exception | None = None
    end = time.monotonic() + seconds
    for file, scope in itertools.islice(_scopes(program), _SCOPES):
        if time.monotonic() > end:
            break
        try:
            yield from _of_scope(program, file, scope, min(seconds / 2, end - time.monotonic()))
        except (NoStageError, NoInputsError, CannotBuildError) as error:
            failure = failure or error
    if failure is not None:
        raise failure


def _scopes(program: Program) -> Iterator[tuple[str, str]]:
    """Files and scopes that lead to the target, each module or function once."""
    job = program.job
    seen: set[tuple[str, str]] = set()
    for file, scope in _leading(program, job):
        parts = scope.split(".")
        once = (file, parts[0] if parts[-1] in ("forward", "__init__") else scope)
        if scope and once not in seen:
            seen.add(once)
            yield file, scope
    if not seen:
        raise NoStageError("the code is not in a module or a function that can be run on its own")


def _leading(program: Program, job: Job) -> Iterator[tuple[str, str]]:
    yield program.file, job.scope
    graph = CallGraph(program.texts)
    graph.add([program.file])
    own = graph.unit_at(program.file, job.target.line)
    yield from _callers(graph, own)
    for place in job.because:
        file = os.path.abspath(place.file)
        if file != program.file:
            graph.add([file])
        yield file, graph.unit_at(file, place.line).scope
    others = related(program.file, os.path.abspath(job.root), program.texts)
    graph.add(file for file in others if file not in graph)
    yield from _callers(graph, own)


def _callers(graph: CallGraph, own: Unit) -> Iterator[tuple[str, str]]:
    """What names the code, directly or through one other."""
    for unit in graph.callers(own, anywhere=True):
        yield unit.file, unit.scope
        for outer in graph.callers(unit, anywhere=True):
            yield outer.file, outer.scope


def _of_scope(program: Program, file: str, scope: str, seconds: float) -> Iterator[Stage]:
    found, method = _owner(program.module(file), scope)
    if isinstance(found, type) and issubclass(found, nn.Module):
        yield from _of_module(found, method, program, seconds)
    elif isinstance(found, types.FunctionType):
        yield _of_function(found, program, seconds)
    elif isinstance(found, type):
        raise NoStageError(f"{found.__name__} is no module that can be run on its own")
    else:
        raise NoStageError("the code is not in a module or a function that can be run on its own")


def _owner(found: Any, scope: str) -> tuple[Any, str]:
    """The outermost function or the innermost class of a module's scope, and the method in it."""
    parts = scope.split(".")
    for index, part in enumerate(parts):
        found = vars(found).get(part) if isinstance(found, type) else getattr(found, part, None)
        inner = parts[index + 1] if index + 1 < len(parts) else ""
        if not isinstance(found, type) or not isinstance(vars(found).get(inner), type):
            return found, inner or "forward"
    return None, ""


def _of_module(
    cls: type[nn.Module], method: str, program: Program, seconds: float
) -> Iterator[Stage]:
    first = recipe(cls, program)
    inner = is_inner(cls, first, program)
    methods = ["forward"] if method in ("forward", "__init__") else ["forward", method]
    failure: NoInputsError | None = None
    for name in methods:
        if not callable(getattr(cls, name, None)) or getattr(cls, name) is nn.Module.forward:
            continue
        try:
            how, specs = fitted(first, program, name, seconds)
        except NoInputsError as error:
            failure = failure or error
            continue
        fresh = functools.partial(_rebuilt, how, program, name)
        usual = Stage(fresh, specs, how.guessed, inner, supposed=how.supposed)
        yield usual
        yield from _with_flags(usual, how, program, name, seconds)
    if failure is not None:
        raise failure


def _with_flags(
    usual: Stage, how: Recipe, program: Program, method: str, seconds: float
) -> Iterator[Stage]:
    """The same with the flags turned that keep the flagged line from running."""
    turned = turned_for(how, program, method)
    if not turned:
        return
    other = replace(how, arguments={**how.arguments, **turned.built})
    try:
        specs = find_inputs(
            subject_of_module(other.make(), program, method, turned.filled), seconds
        )
    except (Exception, Overtime):
        return  # the flag asks for something else besides
    fresh = functools.partial(_rebuilt, other, program, method, turned.filled)
    yield replace(usual, fresh=fresh, specs=specs, turned=turned)


def _rebuilt(how: Recipe, program: Program, method: str, filled: Sequence[str] = ()) -> Subject:
    return subject_of_module(how.make().train(), program, method, filled)


def _of_function(function: types.FunctionType, program: Program, seconds: float) -> Stage:
    subject = subject_of_function(function, program)
    if not subject.parameters:
        raise NoStageError(f"{function.__name__} takes nothing that could be a tensor")
    specs = find_inputs(subject, seconds)
    return Stage(lambda: subject_of_function(function, program), specs)


def is_inner(cls: type[nn.Module], how: Recipe, program: Program) -> bool:
    """Whether the module stands behind others, so that its input may require grad."""
    if not any(parameter.requires_grad for parameter in how.make().parameters()):
        return True
    own = class_node(cls, program)
    for node in ast.walk(program.tree()):
        if isinstance(node, ast.ClassDef) and (own is None or node.name != own.name):
            for part in ast.walk(node):
                if isinstance(part, ast.Call) and dotted(part.func).endswith(cls.__name__):
                    return True
    return False


def project_of(program: Program) -> Project:
    """The folders whose files count as the user's own."""
    return Project(os.path.abspath(program.job.root), os.path.dirname(program.file))


def requiring_grad(inputs: dict[str, Any]) -> tuple[dict[str, Any], list[torch.Tensor]]:
    """The inputs as another layer would hand them on, and the leaves that they come from."""
    leaves: list[torch.Tensor] = []

    def handed_on(value: Any) -> Any:
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            leaf = value.detach().clone().requires_grad_()
            leaves.append(leaf)
            return leaf.clone()
        if isinstance(value, (list, tuple)):
            return type(value)(handed_on(item) for item in value)
        if isinstance(value, dict):
            return {key: handed_on(item) for key, item in value.items()}
        return copy.copy(value)

    return {name: handed_on(value) for name, value in inputs.items()}, leaves


def scalar(output: Any) -> torch.Tensor | None:
    """A number that depends on everything differentiable in an output, None where nothing is."""
    generator = torch.Generator().manual_seed(1)
    parts = [item for item in tensors(output) if item.requires_grad and item.is_floating_point()]
    if not parts:
        return None
    terms = [(item * torch.randn(item.shape, generator=generator)).sum() for item in parts]
    return torch.stack(terms).sum()
