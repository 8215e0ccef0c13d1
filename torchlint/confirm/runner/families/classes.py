"""Claims about classes: what making their objects, and calling these, comes to."""

from __future__ import annotations

import ast
import linecache
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from ..aftermath import Aftermath
from ..building import CannotBuildError, recipe
from ..claims import NOTHING, Claim, Raises
from ..loading import load
from ..protocol import ABSENT, OPEN, SHOWN, Observation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from ..loading import Program
    from ..places import Project
    from ..protocol import Job, Target
    from ..recorder import Observer
    from ..tally import Answer

_too_early = Raises(
    r"before Module\.__init__\(\) call|no attribute '_(?:modules|parameters|buffers)'"
    r"|^super\(type, obj\): obj",
    (AttributeError, TypeError),
    matters=NOTHING,
)


def missing_super_init(job: Job) -> Observation:
    """Run the line that registers something, or move an object whose constructor is flagged."""
    if not _names_constructor(job.target):
        return _too_early(job)
    program = load(job)
    cls = program.scope_object(job.scope.removesuffix(".__init__"))
    if not isinstance(cls, type):
        return Observation(OPEN, reason="the class is not there once the file has run")
    try:
        module = recipe(cls, program).make()
    except CannotBuildError as error:
        return Observation(OPEN, reason=str(error))
    try:
        nn.Module.to(module, "cpu")
    except AttributeError as error:
        if _too_early.predicts(error):
            evidence = f"to move a {cls.__name__} raised AttributeError: {error}"
            return Observation(SHOWN, evidence=evidence)
    return Observation(ABSENT, evidence=f"a {cls.__name__} can be moved: it was set up")


def _names_constructor(target: Target) -> bool:
    """Whether the name of a constructor is flagged, and not a line of it."""
    written = linecache.getline(target.file, target.line)
    return bool(re.search(r"\bdef __init__\b", written))


undefined_attribute = Raises("object has no attribute", (AttributeError,), matters=NOTHING)


class _Assigned(Aftermath):
    """Remembers the modules that the flagged statement gives an attribute, and asks in the end."""

    def __init__(self, project: Project, job: Job, program: Program) -> None:
        super().__init__(project, job.target, lambda error: False, lambda seen: None, program)
        self._modules: list[tuple[nn.Module, str]] = []

    def passed_target(self, frame: FrameType) -> None:
        """Note the object and the name."""
        super().passed_target(frame)
        match self.statement:
            case (
                ast.Assign(targets=[ast.Attribute(value=owner, attr=name)])
                | ast.AnnAssign(target=ast.Attribute(value=owner, attr=name))
            ):
                module = self.value(owner)
                if isinstance(module, nn.Module):
                    self._modules.append((module, name))

    def conclude(self, ended: bool) -> Observation:
        """Whether parameters are in the attribute that the module does not know of."""
        for module, name in self._modules:
            self._tally.take(_left_out(module, name))
        return super().conclude(ended)


def _left_out(module: nn.Module, name: str) -> Answer:
    """How many of the parameters in an attribute are not among those of its module."""
    try:
        known = {id(parameter) for parameter in module.parameters()}
    except Exception:
        return None
    held = list(_parameters(getattr(module, name, None)))
    missing = [parameter for parameter in held if id(parameter) not in known]
    if not held:
        return None
    if not missing:
        return False
    return (
        f"{len(missing)} of the {len(held)} parameters in `{name}` are not among the {len(known)} "
        f"of `{type(module).__name__}.parameters()`"
    )


def _parameters(value: Any) -> Iterator[torch.nn.Parameter]:
    """The parameters in a collection, or in what it holds."""
    if isinstance(value, nn.Parameter):
        yield value
    elif isinstance(value, nn.Module):
        yield from value.parameters()
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _parameters(item)
    elif isinstance(value, dict):
        yield from _parameters(list(value.values()))


class _Graded(_Assigned):
    """Asks after each backward whether the attribute takes part in it."""

    def after_backward(self, at_target: bool) -> None:
        """Whether other parameters have gradients, and those in the attribute have none."""
        for module, name in self._modules:
            held = list(_parameters(getattr(module, name, None)))
            others = [p for p in module.parameters() if all(p is not item for item in held)]
            if any(item.grad is not None for item in held):
                self._tally.take(False)
            elif held and any(item.grad is not None for item in others):
                whole = type(module).__name__
                self._tally.take(f"after a backward through {whole}, `{name}` has no gradient")

    def conclude(self, ended: bool) -> Observation:
        """What the backwards have shown."""
        self._modules.clear()
        if not self._tally.has_answers:
            return Observation(OPEN, reason="no backward went through the module")
        return super().conclude(ended)


@dataclass(frozen=True)
class _Unused(Claim):
    """The layer that the flagged statement makes gets no gradient."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at the modules after each backward."""
        return _Graded(project, job, program)


unused_submodule = _Unused()


@dataclass(frozen=True)
class _Unregistered(Claim):
    """The modules that the flagged statement gives an attribute do not know what is in it."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at the modules once the run is over."""
        return _Assigned(project, job, program)


unregistered_submodule = _Unregistered(matters=NOTHING)
