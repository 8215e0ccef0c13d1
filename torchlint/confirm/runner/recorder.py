"""Watches a run of the user's program: backward passes, optimizer steps, batches, lines.

What is watched for is an observer's business; the recorder tells it what happens and when. It
changes nothing that the program computes, except that loaders end early, so that an epoch is short.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

import torch
from torch.optim import optimizer as optimizers
from torch.utils.data import DataLoader

from .lines import LineLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType, TracebackType

    from .places import Project
    from .protocol import Observation, Target

BATCHES = 16


class Stop(BaseException):
    """Ends the user's program when enough was seen; no ``except Exception`` catches it."""


class Observer:
    """What an experiment wants to know; each method hears of one kind of event."""

    def __init__(self) -> None:
        self.optimizers: list[torch.optim.Optimizer] = []

    def held_parameters(self) -> Iterator[tuple[torch.optim.Optimizer, torch.Tensor]]:
        """Every tensor that an optimizer of the program holds, with the optimizer."""
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    yield optimizer, parameter

    def before_backward(self, roots: tuple[torch.Tensor, ...], at_target: bool) -> None:
        """A backward pass is about to start."""

    def after_backward(self, at_target: bool) -> None:
        """A backward pass is done."""

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer is about to step."""

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer has stepped."""

    def drew_batch(self) -> None:
        """A loader gave a batch."""

    def passed_target(self, frame: FrameType) -> None:
        """The user's code has just executed the flagged lines in this frame."""

    reached: Callable[[FrameType], None] | None = None
    """Hears of every line of the flagged file that is about to be executed."""

    def raised(self, frame: FrameType, error: BaseException, traceback: TracebackType) -> None:
        """The flagged lines of this frame fail, by themselves or in what they call."""

    def backward_failed(self, roots: tuple[torch.Tensor, ...], error: Exception) -> None:
        """A backward pass fails."""

    def placed(self, made: dict[str, Any]) -> dict[str, Any]:
        """Put what is made up for a function where it is to be."""
        return made

    def returned(self, value: Any) -> None:
        """A function that was called alone gave this back to a caller that there is not."""

    def watching(self) -> AbstractContextManager[Any]:
        """Anything else that must be switched on while the program runs."""
        return ExitStack()

    def has_seen_enough(self) -> bool:
        """Whether the program may be stopped here."""
        return False

    def conclude(self, ended: bool) -> Observation:
        """What it all shows; ``ended`` says whether the program came to its own end."""
        raise NotImplementedError


class Recorder:
    """Tells an observer of what happens while its block runs."""

    def __init__(self, project: Project, target: Target, observer: Observer) -> None:
        self.project = project
        self.target = target
        self.observer = observer
        self.lines = LineLog(project, target, self._passed, observer.raised, observer.reached)
        self._undo: list[tuple[Any, str, Any]] = []
        self._handles: list[Any] = []

    def __enter__(self) -> Recorder:
        self._replace(torch.autograd, "backward", self._backward)
        self._replace(torch.optim.Optimizer, "__init__", self._built)
        self._replace(DataLoader, "__init__", _in_process)
        self._replace(DataLoader, "__iter__", self._batches)
        self._replace(DataLoader, "__len__", lambda old, loader: min(old(loader), BATCHES))
        self._handles = [
            optimizers.register_optimizer_step_pre_hook(self._stepping),
            optimizers.register_optimizer_step_post_hook(self._stepped),
        ]
        self._watching = ExitStack()
        try:
            self._watching.enter_context(self.observer.watching())
            self._watching.enter_context(self.lines)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._watching.close()
        for handle in self._handles:
            handle.remove()
        for owner, name, old in reversed(self._undo):
            setattr(owner, name, old)
        self._undo.clear()

    def knows(self, optimizer: torch.optim.Optimizer) -> None:
        """Take an optimizer into account that was built before the run."""
        known = self.observer.optimizers
        if not any(optimizer is other for other in known):
            known.append(optimizer)

    def _replace(self, owner: Any, name: str, new: Callable[..., Any]) -> None:
        old = getattr(owner, name)
        self._undo.append((owner, name, old))

        def replacement(*args: Any, **kwargs: Any) -> Any:
            return new(old, *args, **kwargs)

        setattr(owner, name, replacement)

    def _stop_if_enough(self) -> None:
        if self.observer.has_seen_enough():
            raise Stop

    def _backward(self, old: Callable[..., Any], tensors: Any, *args: Any, **kwargs: Any) -> None:
        self._stop_if_enough()
        at_target = self.project.is_at(self.target)
        roots = (tensors,) if isinstance(tensors, torch.Tensor) else tuple(tensors)
        self.observer.before_backward(roots, at_target)
        try:
            old(tensors, *args, **kwargs)
        except Exception as error:
            self.observer.backward_failed(roots, error)
            raise
        self.observer.after_backward(at_target)

    def _built(
        self, old: Callable[..., Any], made: torch.optim.Optimizer, *args: Any, **kwargs: Any
    ) -> None:
        old(made, *args, **kwargs)
        self.knows(made)

    def _stepping(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        self.knows(optimizer)
        self.observer.before_step(optimizer)

    def _stepped(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        self.observer.after_step(optimizer)
        self._stop_if_enough()

    def _batches(self, old: Callable[..., Any], loader: Any) -> Iterator[Any]:
        for number, batch in enumerate(old(loader)):
            if number == BATCHES:
                return
            self._stop_if_enough()
            self.observer.drew_batch()
            yield batch

    def _passed(self, frame: FrameType) -> None:
        self.observer.passed_target(frame)


def _in_process(old: Callable[..., Any], loader: Any, *args: Any, **kwargs: Any) -> None:
    """Build a loader that loads in this process: there may be no other."""
    if (args[5] if len(args) > 5 else kwargs.get("num_workers", 0)) != 0:
        if len(args) > 5:
            args = (*args[:5], 0, *args[6:])
        kwargs.pop("num_workers", None)
        for option in ("prefetch_factor", "persistent_workers", "multiprocessing_context"):
            kwargs.pop(option, None)
    kwargs.pop("timeout", None)
    old(loader, *args, **kwargs)
