"""A cut in the graph, and the same program with the graph left whole (TL106, TL123, TL124)."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch import Tensor

from .names import ParameterNames
from .protocol import ABSENT, OPEN, SHOWN, Job, Observation
from .recorder import Observer
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable

    from .loading import Program
    from .places import Project
    from .protocol import Target

_PASSES = 4
_FUNCTIONS = ("sqrt", "exp", "log", "log2", "log10", "log1p", "sin", "cos", "tanh", "fabs")


def cut_matters(job: Job) -> Observation:
    """Parameters get a gradient, or another one, as soon as the flagged place does not cut."""
    half = replace(job, seconds=job.seconds / 2)
    plain, whole = _Passes(half, undo=False), _Passes(half, undo=True)
    for one in (plain, whole):
        seen = one.run()
        if seen.outcome != SHOWN:
            return seen
    if not whole.observer.undone:
        return Observation(OPEN, reason="nothing at the flagged place could be left in the graph")
    return _compare(plain.observer, whole.observer)


def _compare(plain: _Gradients, whole: _Gradients) -> Observation:
    """What the gradients of the first backwards say."""
    pairs = list(zip(plain.seen, whole.seen, strict=False))
    missing = [
        name
        for name in plain.seen[0]
        if all(one.get(name) is None for one, _ in pairs)
        and any(other.get(name) is not None for _, other in pairs)
    ]
    if missing:
        return Observation(
            SHOWN,
            evidence=f"the gradient of {missing[0]}, which an optimizer holds, is None after "
            f"{len(pairs)} backward(s); with the graph left whole here it is not",
        )
    if whole.observed_scalar:
        for name, gradient in plain.seen[0].items():
            other = whole.seen[0].get(name)
            if gradient is not None and other is not None and not torch.allclose(gradient, other):
                return Observation(
                    SHOWN,
                    evidence=f"with the graph left whole here the gradient of {name} is another: "
                    f"|gradient| = {float(other.norm()):.3g} in place of "
                    f"{float(gradient.norm()):.3g}",
                )
    return Observation(ABSENT, evidence="with the graph left whole the gradients are the same")


class _Passes:
    """One run of the program, as it is or with the graph left whole."""

    def __init__(self, job: Job, undo: bool) -> None:
        self._job = job
        self._undo = undo
        self.observer: _Gradients

    def run(self) -> Observation:
        """Shown where gradients were seen."""
        return investigate(self._job, Question(watch=self._watch))

    def _watch(self, project: Project, program: Program) -> _Gradients:
        self.observer = _Gradients(project, self._job.target, self._undo)
        return self.observer


class _Gradients(Observer):
    """Notes the gradients of what optimizers hold after the first backwards."""

    def __init__(self, project: Project, target: Target, undo: bool) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._undo = undo
        self._names = ParameterNames()
        self.seen: list[dict[str, Tensor | None]] = []
        self.undone = 0
        self._left: list[Tensor] = []
        self.observed_scalar = False

    def watching(self) -> AbstractContextManager[Any]:
        """Parameters have names; what cuts is replaced by what does not."""
        stack = ExitStack()
        stack.enter_context(self._names)
        if self._undo:
            self._leave_whole(stack)
        return stack

    def after_backward(self, at_target: bool) -> None:
        """Look at every gradient."""
        held = list(self.held_parameters())
        self.seen.append(
            {
                f"{self._names.of(parameter)} ({number})": (
                    None if parameter.grad is None else parameter.grad.detach().clone()
                )
                for number, (_, parameter) in enumerate(held)
            }
        )

    def has_seen_enough(self) -> bool:
        """Some backwards tell."""
        return len(self.seen) >= _PASSES

    def conclude(self, ended: bool) -> Observation:
        """Whether there is something to compare."""
        if not self.seen or not self.seen[0]:
            return Observation(OPEN, reason="no backward brought gradients to an optimizer")
        return Observation(SHOWN)

    def _leave_whole(self, stack: ExitStack) -> None:
        for name in ("detach", "item", "numpy"):
            method = getattr(Tensor, name)
            stack.enter_context(mock.patch.object(Tensor, name, self._itself(method)))
        stack.enter_context(mock.patch.object(torch, "tensor", self._stacked(torch.tensor)))
        old = torch.autograd.Variable
        wrapped = self._unwrapped(old.__new__)
        stack.enter_context(mock.patch.object(old, "__new__", wrapped))
        stack.enter_context(mock.patch.object(torch.autograd, "grad", self._created()))
        for name in _FUNCTIONS:
            function = getattr(math, name)
            twin = getattr(torch, "abs" if name == "fabs" else name)
            stack.enter_context(mock.patch.object(math, name, self._of_tensor(function, twin)))
        self._leave_on(stack)

    def _leave_on(self, stack: ExitStack) -> None:
        """Let a ``no_grad`` that is made at the flagged place switch nothing."""
        build, enter = torch.no_grad.__init__, torch.no_grad.__enter__
        made_here: set[int] = set()

        def built(mode: Any) -> None:
            build(mode)
            made_here.discard(id(mode))
            if self._is_here():
                made_here.add(id(mode))

        def entered(mode: Any) -> None:
            if id(mode) in made_here:
                mode.prev = torch.is_grad_enabled()
            else:
                enter(mode)

        stack.enter_context(mock.patch.object(torch.no_grad, "__init__", built))
        stack.enter_context(mock.patch.object(torch.no_grad, "__enter__", entered))

    def _is_here(self) -> bool:
        here = self._project.is_at(self._target)
        self.undone += here
        return here

    def _kept(self, tensor: Tensor) -> Tensor:
        self.observed_scalar |= tensor.dim() == 0
        self._left.append(tensor)
        return tensor

    def _was_kept(self, data: Any) -> bool:
        """Whether something is what stands for a number that would have been read."""
        return any(data is tensor for tensor in self._left)

    def _itself(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def itself(tensor: Tensor, *args: Any, **kwargs: Any) -> Any:
            if tensor.requires_grad and self._is_here():
                return self._kept(tensor)
            return method(tensor, *args, **kwargs)

        return itself

    def _stacked(self, make: Callable[..., Any]) -> Callable[..., Any]:
        def stacked(data: Any, *args: Any, **kwargs: Any) -> Any:
            if self._was_kept(data):
                return data
            if isinstance(data, Tensor) and data.requires_grad and self._is_here():
                return self._kept(data)
            if _is_list_of_tensors(data) and self._is_here():
                return torch.stack(data)
            return make(data, *args, **kwargs)

        return stacked

    def _unwrapped(self, make: Callable[..., Any]) -> Callable[..., Any]:
        def unwrapped(cls: type, data: Any = None, *args: Any, **kwargs: Any) -> Any:
            if isinstance(data, Tensor) and data.requires_grad and self._is_here():
                return self._kept(data)
            return make(cls, data, *args, **kwargs)

        return unwrapped

    def _of_tensor(self, function: Callable[..., Any], twin: Callable[..., Any]) -> Any:
        def of_tensor(value: Any, *args: Any) -> Any:
            if isinstance(value, Tensor) and value.requires_grad and self._is_here():
                return self._kept(twin(value, *args))
            return function(value, *args)

        return of_tensor

    def _created(self) -> Callable[..., Any]:
        differentiate = torch.autograd.grad

        def created(*args: Any, **kwargs: Any) -> Any:
            if self._is_here():
                self.observed_scalar = True
                kwargs["create_graph"] = True
            return differentiate(*args, **kwargs)

        return created


def _is_list_of_tensors(data: Any) -> bool:
    return (
        isinstance(data, (list, tuple))
        and bool(data)
        and all(isinstance(item, Tensor) and item.requires_grad for item in data)
    )
