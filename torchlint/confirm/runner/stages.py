"""Finds what to run for a flagged place: the module or function around it, and inputs for it."""

from __future__ import annotations

import ast
import copy
import types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .building import CannotBuildError, Recipe, class_node, recipe
from .inputs import Subject, subject_of_function, subject_of_module
from .statements import dotted
from .trials import NoInputsError, find_inputs, tensors, values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .loading import Program
    from .specs import Spec


class NoStageError(Exception):
    """The flagged code cannot be run on its own; the message is the reason."""


@dataclass
class Stage:
    """A way to run the flagged code.

    Every call of ``fresh`` gives a subject that nothing has touched. ``guessed`` are the arguments whose values were guessed and may matter.
    """

    fresh: Callable[[], Subject]
    specs: dict[str, Spec]
    guessed: tuple[str, ...] = ()
    inner: bool = True

    def inputs(self, seed: int) -> dict[str, Any]:
        """The inputs of a seed."""
        return values(self.specs, seed)


def stages(program: Program, seconds: float) -> Iterator[Stage]:
    """Ways to run the code at the target, the most natural first; NoStageError if there is none."""
    found, method = _owner(program)
    if isinstance(found, type) and issubclass(found, nn.Module):
        yield from _of_module(found, method, program, seconds)
    elif isinstance(found, types.FunctionType):
        yield _of_function(found, program, seconds)
    elif isinstance(found, type):
        raise NoStageError(f"{found.__name__} is no module that can be run on its own")
    else:
        raise NoStageError("the code is not in a module or a function that can be run on its own")


def _owner(program: Program) -> tuple[Any, str]:
    """The outermost function or the innermost module class of the scope, and the method in it."""
    parts = program.job.scope.split(".") if program.job.scope else []
    found: Any = program.module(program.file)
    for index, part in enumerate(parts):
        found = vars(found).get(part) if isinstance(found, type) else getattr(found, part, None)
        is_class = isinstance(found, type)
        inner = parts[index + 1] if index + 1 < len(parts) else ""
        if not is_class or not isinstance(vars(found).get(inner), type):
            return found, inner or "forward"
    return None, ""


def _of_module(
    cls: type[nn.Module], method: str, program: Program, seconds: float
) -> Iterator[Stage]:
    how = recipe(cls, program)
    inner = is_inner(cls, how, program)
    methods = ["forward"] if method in ("forward", "__init__") else ["forward", method]
    failure: NoInputsError | None = None
    for name in methods:
        if not callable(getattr(cls, name, None)) or getattr(cls, name) is nn.Module.forward:
            continue
        subject = subject_of_module(how.make(), program, name)
        try:
            specs = find_inputs(subject, seconds)
        except NoInputsError as error:
            failure = failure or error
            continue
        yield Stage(lambda name=name: _rebuilt(how, program, name), specs, how.guessed, inner)  # type: ignore[misc]
    if failure is not None:
        raise failure


def _rebuilt(how: Recipe, program: Program, method: str) -> Subject:
    return subject_of_module(how.make().train(), program, method)


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


__all__ = ["CannotBuildError", "NoInputsError", "NoStageError", "Stage", "stages"]
