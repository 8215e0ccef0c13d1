"""TL602: what torch says to a forked worker that uses the device its parent has used.

The device is simulated, and so is the fork: loaders load in this process, which counts as a worker
for as long as it makes a batch. The refusal is torch's own.
"""

from __future__ import annotations

import multiprocessing
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.utils.data import DataLoader
from torch.utils.data.dataloader import _BaseDataLoaderIter, _SingleProcessDataLoaderIter

from .accelerator import Accelerator
from .device import DEVICE
from .experiments import describe
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer, Stop
from .roles import ALL
from .trials import tensors
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .places import Project
    from .protocol import Job, Target


class Shared(Accelerator):
    """A device that refuses a forked worker once the parent has used it."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__(project, target)
        self._is_flagged: Callable[[], bool] = lambda: project.is_at(target)
        self._mine: set[int] = set()
        self.in_worker = self.used = False
        self.error: Exception | None = None

    def place(self, value: Any, device: str) -> Any:
        """A tensor comes to the device."""
        if device != DEVICE:
            return super().place(value, device)
        flagged = self._is_flagged()
        if self.in_worker:
            self._refuse(flagged)
        self.used |= not self.in_worker
        placed = super().place(value, device)
        if flagged:
            self._mine.update(tensor.untyped_storage()._cdata for tensor in tensors(value))
        return placed

    def check(self, operation: str, operands: list[tuple[torch.Tensor, str]]) -> None:
        """A tensor on the device is worked with."""
        if self.in_worker:
            there = [tensor for tensor, _ in operands if self.where(tensor) == DEVICE]
            if any(tensor.untyped_storage()._cdata in self._mine for tensor in there):
                self._refuse(flagged=True)
        super().check(operation, operands)

    def _refuse(self, flagged: bool) -> None:
        """What torch says, if it is the flagged code that has it say so."""
        if not flagged or not self.used:
            return
        with (
            mock.patch.object(torch.cuda, "is_initialized", return_value=False),
            mock.patch.object(torch.cuda, "_is_in_bad_fork", return_value=True),
        ):
            try:
                torch.cuda._lazy_init()  # type: ignore[no-untyped-call]
            except RuntimeError as error:
                self.error = error
                raise Stop from error


class Forked(Observer):
    """Watches what is done to make the batches of loaders that were to have forked workers."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._device = Shared(project, target)
        self._batches = 0

    def watching(self) -> AbstractContextManager[Any]:
        """The device is there, and whoever makes a batch is a worker."""
        return self._watching()

    @contextmanager
    def _watching(self) -> Iterator[None]:
        init, begin = DataLoader.__init__, _BaseDataLoaderIter.__init__
        make: Callable[[Any], Any] = _SingleProcessDataLoaderIter._next_data
        forking: list[Any] = []

        def built(loader: Any, *args: Any, **options: Any) -> None:
            workers = args[5] if len(args) > 5 else options.get("num_workers", 0)
            context = options.get("multiprocessing_context")
            init(loader, *args, **options)
            if workers and (context == "fork" or (context is None and _forks())):
                forking.append(loader)

        def begun(iterator: Any, loader: Any) -> None:
            begin(iterator, loader)
            iterator._for_workers = any(loader is each for each in forking)

        def made(iterator: Any) -> Any:
            self._device.in_worker = iterator._for_workers
            self._batches += iterator._for_workers
            try:
                return make(iterator)
            finally:
                self._device.in_worker = False

        with ExitStack() as stack:
            stack.enter_context(self._device)
            for owner, name, new in (
                (DataLoader, "__init__", built),
                (_BaseDataLoaderIter, "__init__", begun),
                (_SingleProcessDataLoaderIter, "_next_data", made),
            ):
                stack.enter_context(mock.patch.object(owner, name, new))
            yield

    def has_seen_enough(self) -> bool:
        """One refusal tells."""
        return self._device.error is not None

    def conclude(self, ended: bool) -> Observation:
        """The refusal is the evidence; batches without one speak against it."""
        if self._device.error is not None:
            return Observation(
                SHOWN,
                evidence="made as by a forked worker, after the program has used a (simulated) "
                f"device, a batch raised {describe(self._device.error)}",
            )
        if not self._batches:
            return Observation(OPEN, reason="no loader with forked workers made a batch")
        if not self._device.used:
            return Observation(OPEN, reason="the program does not use a device before its workers")
        return Observation(ABSENT, evidence=f"{self._batches} batches were made without the device")


def _forks() -> bool:
    """Whether processes are forked unless somebody says otherwise."""
    method = multiprocessing.get_start_method(allow_none=True)
    return (method or multiprocessing.get_all_start_methods()[0]) == "fork"


def cuda_in_dataset(job: Job) -> Observation:
    """TL602: a forked worker is refused the device, at the flagged line or for what it has put."""
    return investigate(
        job,
        Question(watch=lambda project, program: Forked(project, job.target), matters=ALL),
    )
