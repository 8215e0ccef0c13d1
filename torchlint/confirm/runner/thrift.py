"""TL605: what the flagged loader is told, and what the training over it does."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

from torch.utils.data import DataLoader
from torch.utils.data.dataloader import _SingleProcessDataLoaderIter

from .accelerator import Accelerator
from .device import DEVICE
from .draws import Draws
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .roles import ALL
from .trials import tensors
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import torch

    from .places import Project
    from .protocol import Job, Target


class Moves(Accelerator):
    """A device that notes whether batches are moved to it."""

    def __init__(self, told: Told) -> None:
        super().__init__(told.project, told.target)
        self._told = told

    def move(self, tensor: torch.Tensor, device: str) -> torch.Tensor:
        """A tensor is moved."""
        if device == DEVICE and tensor.untyped_storage()._cdata in self._told.batches:
            self._told.moved += 1
        return super().move(tensor, device)


class Told(Draws):
    """Notes with which settings the flagged loader is built, and the epochs that train on it."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__(project, target)
        self.told: list[dict[str, Any]] = []
        self.batches: set[int] = set()
        self.moved = 0

    def watching(self) -> AbstractContextManager[Any]:
        """Loaders say what they were told, before it is changed for the run."""
        return self._watching()

    @contextmanager
    def _watching(self) -> Iterator[None]:
        with ExitStack() as stack:
            if "pin_memory" in self.target.message:
                stack.enter_context(Moves(self))
            stack.enter_context(super().watching())
            init = DataLoader.__init__
            make: Callable[[Any], Any] = _SingleProcessDataLoaderIter._next_data

            def built(loader: Any, *args: Any, **options: Any) -> None:
                known = len(self.flagged)
                init(loader, *args, **options)
                if len(self.flagged) > known:
                    workers = {"num_workers": args[5]} if len(args) > 5 else {}
                    self.told.append({**workers, **options})

            def made(iterator: Any) -> Any:
                batch = make(iterator)
                if self.is_flagged(iterator._pass.loader):
                    kept = (each.untyped_storage()._cdata for each in tensors(batch))
                    self.batches.update(kept)
                return batch

            stack.enter_context(mock.patch.object(DataLoader, "__init__", built))
            stack.enter_context(mock.patch.object(_SingleProcessDataLoaderIter, "_next_data", made))
            yield

    def conclude(self, ended: bool) -> Observation:
        """Whether the loader lacks what it was said to lack, and somebody waits for that."""
        trained = [each for each in self.passes if self.is_flagged(each.loader) and each.steps]
        if not trained or not self.told:
            return Observation(OPEN, reason="no training over the loader was seen")
        told, again = self.told[0], sum(each.loader is trained[0].loader for each in trained)
        workers = told.get("num_workers")
        seen = {
            "num_workers": f"{len(trained)} epoch(s) train on batches that the process makes itself"
            if not workers
            else "",
            "persistent_workers": f"{workers} workers would be begun {again} times"
            if workers and again > 1 and not told.get("persistent_workers")
            else "",
            "pin_memory": f"{self.moved} tensors of its batches are moved to a (simulated) device"
            if self.moved and not told.get("pin_memory")
            else "",
        }
        for name, evidence in seen.items():
            if f"`{name}" in self.target.message and evidence:
                return Observation(SHOWN, evidence=evidence)
        return Observation(ABSENT, evidence="the loader is told what it was said to lack")


def loader_settings(job: Job) -> Observation:
    """TL605: the training waits for its loader."""
    return investigate(
        job,
        Question(watch=lambda project, program: Told(project, job.target), matters=ALL),
    )
