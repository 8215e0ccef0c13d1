"""Watches what loaders draw: the indices of each pass, and whether an optimizer stepped in it."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from unittest import mock

from torch.utils.data import DataLoader, Subset
from torch.utils.data.dataloader import _BaseDataLoaderIter

from .recorder import Observer

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    from .places import Project
    from .protocol import Target


@dataclass
class Draw:
    """One pass over a loader: what it has drawn, and the steps and backward passes in it."""

    loader: DataLoader[Any]
    indices: list[Any] = field(default_factory=list)
    steps: int = 0
    backwards: int = 0
    batches: int = 0
    ended: bool = False


class Draws(Observer):
    """Notes the passes over loaders; ``flagged`` are the loaders built at the target."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self.project, self.target = project, target
        self.flagged: list[DataLoader[Any]] = []
        self.passes: list[Draw] = []
        self._latest: Draw | None = None

    def watching(self) -> AbstractContextManager[Any]:
        """What loaders and their iterators do is noted."""
        stack = ExitStack()
        iterator: Any = _BaseDataLoaderIter
        patches: list[tuple[Any, str, Callable[..., Any]]] = [
            (DataLoader, "__init__", self._building(DataLoader.__init__)),
            (iterator, "__init__", self._beginning(iterator.__init__)),
            (iterator, "_next_index", self._drawing(iterator._next_index)),
        ]
        for owner, name, new in patches:
            stack.enter_context(mock.patch.object(owner, name, new))
        return stack

    def is_flagged(self, loader: DataLoader[Any]) -> bool:
        """Whether a loader was built at the flagged place."""
        return any(loader is known for known in self.flagged)

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """The latest pass is a training."""
        for each in self._abreast():
            each.steps += 1

    def after_backward(self, at_target: bool) -> None:
        """The latest pass computes gradients."""
        for each in self._abreast():
            each.backwards += 1

    def _abreast(self) -> list[Draw]:
        """The latest pass, and those that one loop goes on with it, as by ``zip``."""
        latest = self._latest
        return [
            each
            for each in self.passes
            if each is latest
            or (latest is not None and not each.ended and each.batches == latest.batches)
        ]

    def _building(self, init: Callable[..., None]) -> Callable[..., None]:
        def built(loader: DataLoader[Any], *args: Any, **options: Any) -> None:
            init(loader, *args, **options)
            if self.project.is_at(self.target):
                self.flagged.append(loader)

        return built

    def _beginning(self, begin: Callable[..., None]) -> Callable[..., None]:
        def begun(iterator: Any, loader: DataLoader[Any]) -> None:
            begin(iterator, loader)
            iterator._pass = Draw(loader)
            self.passes.append(iterator._pass)

        return begun

    def _drawing(self, draw: Callable[..., Any]) -> Callable[..., Any]:
        def drawn(iterator: Any) -> Any:
            try:
                index = draw(iterator)
            except StopIteration:
                iterator._pass.ended = True
                raise
            self._latest = iterator._pass
            iterator._pass.batches += 1
            iterator._pass.indices += index if isinstance(index, list) else [index]
            return index

        return drawn


def is_stand_in(dataset: Any) -> bool:
    """Whether a dataset, or what it is a part of, is none of the user's or of torch's."""
    while isinstance(dataset, Subset):
        dataset = dataset.dataset
    return type(dataset).__module__.startswith(__package__ or "?")
