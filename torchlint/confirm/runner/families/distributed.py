"""Claims about programs in several processes: two are run, and asked what they have seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
from torch.utils.data.dataloader import _BaseDataLoaderIter

from ..protocol import ABSENT, OPEN, SHOWN, Observation
from ..ways import Question, investigate
from ..world import Together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import ExitStack
    from types import FrameType

    from ..peers import Diary
    from ..protocol import Job

_STEPS = 3
_LEAST_DRAWN = 4


class Deserted(Together):
    """Looks for a process that waits at the flagged place for one that does not come (TL230)."""

    def conclude(self, ended: bool) -> Observation:
        """What parts the processes there, or that nothing does."""
        for diary in self.diaries:
            if diary.waits_at_target:
                who = ("first", "second")[diary.rank]
                return Observation(SHOWN, evidence=f"of two processes the {who} {diary.left_alone}")
        parted = next((diary.left_alone for diary in self.diaries if diary.left_alone), "")
        if parted:
            return Observation(OPEN, reason=f"the processes part elsewhere: one {parted}")
        if self.obstacle() or not ended:
            return Observation(OPEN, reason=self.obstacle() or "the run was cut before its end")
        if not any(diary.at_target for diary in self.diaries):
            return Observation(OPEN, reason="the flagged collective was not called")
        return Observation(ABSENT, evidence="two processes get there, and both go on")


class Unawaited(Together):
    """Looks for a handle that nobody has asked before the program ends (TL233)."""

    def conclude(self, ended: bool) -> Observation:
        """Handles that were made at the flagged place, and nobody waited for."""
        works = [is_awaited for diary in self.diaries for is_awaited in diary.works]
        if self.obstacle() or not ended:
            return Observation(OPEN, reason=self.obstacle() or "the run was cut before its end")
        if not works:
            return Observation(OPEN, reason="nothing was started there")
        if not any(works):
            return Observation(
                SHOWN,
                evidence=f"two processes started it {len(works)} time(s) and never waited for it",
            )
        if all(works):
            return Observation(ABSENT, evidence=f"it was waited for all {len(works)} time(s)")
        return Observation(OPEN, reason="it is waited for at times")


class OwnGradients(Together):
    """Looks for gradients of a wrapped module that differ by process when it steps (TL231)."""

    def wrapped(self, stack: ExitStack) -> None:
        """Know the wrappers."""
        self._wrappers: list[DistributedDataParallel] = []
        self._passed = 0
        old = DistributedDataParallel.__init__

        def built(wrapper: DistributedDataParallel, *args: Any, **options: Any) -> None:
            old(wrapper, *args, **options)
            self._wrappers.append(wrapper)

        stack.enter_context(mock.patch.object(DistributedDataParallel, "__init__", built))

    def passed_target(self, frame: FrameType) -> None:
        """The flagged line has run."""
        self._passed += 1

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Note the gradients that are about to be used, and how much was reduced so far."""
        steps: list[Any] = self.diary.notes.setdefault("steps", [])
        if not self._passed or len(steps) >= _STEPS:
            return
        held = {id(item) for group in optimizer.param_groups for item in group["params"]}
        gradients = {
            name: parameter.grad.detach().clone()
            for wrapper in self._wrappers
            for name, parameter in wrapper.module.named_parameters()
            if parameter.grad is not None and id(parameter) in held
        }
        if gradients:
            steps.append((gradients, self.diary.collectives))

    def conclude(self, ended: bool) -> Observation:
        """Whether both processes are about to make the same step."""
        if self.obstacle():
            return Observation(OPEN, reason=self.obstacle())
        first, second = (diary.notes.get("steps", []) for diary in self.diaries)
        for (mine, _), (theirs, _) in zip(first, second, strict=False):
            for name in mine.keys() & theirs.keys():
                if not torch.allclose(mine[name], theirs[name], rtol=1e-4, atol=1e-7):
                    return Observation(SHOWN, evidence=_apart(name, mine[name], theirs[name]))
        if not first or not second:
            return Observation(OPEN, reason="no step of a wrapped module was seen after it")
        counts = [collectives for _, collectives in first]
        if len(counts) > 1 and all(map(int.__lt__, counts, counts[1:])):
            return Observation(
                ABSENT, evidence=f"in {len(counts)} steps two processes have the same gradients"
            )
        return Observation(OPEN, reason="both processes have the same data to begin with")


def _apart(name: str, mine: torch.Tensor, theirs: torch.Tensor) -> str:
    return (
        f"two processes step with gradients of their own: |gradient| of {name} is "
        f"{mine.norm().item():.3g} in one and {theirs.norm().item():.3g} in the other"
    )


class SameOrder(Together):
    """Looks for passes over the flagged sampler in one and the same order (TL213)."""

    def wrapped(self, stack: ExitStack) -> None:
        """Note the order of every pass."""
        self._samplers: list[DistributedSampler[Any]] = []
        self._orders: list[list[int]] = []
        init, iterate = DistributedSampler.__init__, DistributedSampler.__iter__

        def built(sampler: DistributedSampler[Any], *args: Any, **options: Any) -> None:
            init(sampler, *args, **options)
            if self.project.is_at(self.target):
                self._samplers.append(sampler)

        def iterated(sampler: DistributedSampler[Any]) -> Iterator[int]:
            order = list(iterate(sampler))
            if any(sampler is known for known in self._samplers):
                self._orders.append(order)
            return iter(order)

        stack.enter_context(mock.patch.object(DistributedSampler, "__init__", built))
        stack.enter_context(mock.patch.object(DistributedSampler, "__iter__", iterated))

    def conclude(self, ended: bool) -> Observation:
        """Whether one pass is as the one before."""
        orders = [order for order in self._orders if len(order) >= _LEAST_DRAWN]
        if len(orders) < 2:
            return Observation(OPEN, reason="no two passes over the sampler were seen")
        shown = ", ".join(map(str, orders[0][:_LEAST_DRAWN]))
        if all(order == orders[0] for order in orders):
            return Observation(
                SHOWN, evidence=f"all {len(orders)} passes draw in the same order: {shown}, …"
            )
        return Observation(ABSENT, evidence=f"{len(orders)} passes draw in different orders")


class SharedSamples(Together):
    """Looks for samples that both processes draw from the flagged loader (TL234)."""

    def wrapped(self, stack: ExitStack) -> None:
        """Note which samples are drawn in the first pass over the loader."""
        self._loaders: list[DataLoader[Any]] = []
        self._passes: list[Any] = []
        iterator_class: Any = _BaseDataLoaderIter
        init, begin, draw = (
            DataLoader.__init__,
            iterator_class.__init__,
            iterator_class._next_index,
        )

        def built(loader: DataLoader[Any], *args: Any, **options: Any) -> None:
            init(loader, *args, **options)
            if self.project.is_at(self.target):
                self._loaders.append(loader)

        def begun(iterator: Any, loader: DataLoader[Any]) -> None:
            begin(iterator, loader)
            if any(loader is known for known in self._loaders):
                self._passes.append(iterator)

        def drawn(iterator: Any) -> Any:
            index = draw(iterator)
            if self._passes and iterator is self._passes[0]:
                samples = self.diary.notes.setdefault("drawn", [])
                samples += index if isinstance(index, list) else [index]
            return index

        stack.enter_context(mock.patch.object(DataLoader, "__init__", built))
        stack.enter_context(mock.patch.object(_BaseDataLoaderIter, "__init__", begun))
        stack.enter_context(mock.patch.object(_BaseDataLoaderIter, "_next_index", drawn))

    def conclude(self, ended: bool) -> Observation:
        """How many of the samples of one process are the other's as well."""
        if self.obstacle():
            return Observation(OPEN, reason=self.obstacle())
        one, other = (set(_drawn(diary)) for diary in self.diaries)
        least = min(len(one), len(other))
        if least < _LEAST_DRAWN:
            return Observation(OPEN, reason="too few samples of the loader were drawn")
        common = len(one & other)
        if 2 * common > least:
            return Observation(
                SHOWN,
                evidence=f"of {least} samples that each of two processes draws, {common} are the "
                "same",
            )
        if common <= 1:
            return Observation(
                ABSENT, evidence=f"two processes draw {least} samples each, none in common"
            )
        return Observation(OPEN, reason="the processes have some samples in common")


def _drawn(diary: Diary) -> list[int]:
    drawn: list[int] = diary.notes.get("drawn", [])
    return drawn


def _in_two(observer: type[Together]) -> Callable[[Job], Observation]:
    """The experiment that runs the program in two processes under such an observer."""

    def experiment(job: Job) -> Observation:
        return investigate(
            job, Question(watch=lambda project, program: observer(project, job.target))
        )

    return experiment


collective_under_rank = _in_two(Deserted)
async_without_wait = _in_two(Unawaited)
ddp_bypassed = _in_two(OwnGradients)
sampler_epoch = _in_two(SameOrder)
missing_distributed_sampler = _in_two(SharedSamples)
