"""What workers of a loader would give, found out in this process: it is told which one it is."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.utils.data import DataLoader, IterableDataset
from torch.utils.data._utils import worker

from .experiments import describe
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer, Stop
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .places import Project
    from .protocol import Job, Target

_MOST = 64
_LEAST = 2


class Duplicates(Observer):
    """Compares what the first two workers of the flagged loader give, and this process (TL608)."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project, self._target = project, target
        self._seen: Observation | None = None

    def watching(self) -> AbstractContextManager[Any]:
        """Loaders are looked at when they are first iterated, as workers begin then."""
        return self._looking()

    @contextmanager
    def _looking(self) -> Iterator[None]:
        init, iterate = DataLoader.__init__, DataLoader.__iter__
        flagged: dict[int, tuple[DataLoader[Any], int]] = {}

        def built(loader: DataLoader[Any], *args: Any, **options: Any) -> None:
            given = args[5] if len(args) > 5 else options.get("num_workers", 0)
            init(loader, *args, **options)
            if self._project.is_at(self._target):
                flagged[id(loader)] = loader, given

        def iterated(loader: DataLoader[Any]) -> Any:
            if id(loader) in flagged and self._seen is None:
                self._seen = _compare(loader, flagged[id(loader)][1])
            return iterate(loader)

        with (
            mock.patch.object(DataLoader, "__init__", built),
            mock.patch.object(DataLoader, "__iter__", iterated),
        ):
            yield

    def has_seen_enough(self) -> bool:
        """One comparison tells."""
        return self._seen is not None

    def conclude(self, ended: bool) -> Observation:
        """What the comparison said."""
        return self._seen or Observation(OPEN, reason="the flagged loader was not iterated")


def _compare(loader: DataLoader[Any], workers: int) -> Observation:
    if not isinstance(loader.dataset, IterableDataset) or workers < _LEAST:
        return Observation(ABSENT, evidence=f"{workers} workers divide the indices of a dataset")
    try:
        alone = _given(loader, None, workers)
        first, second = (_given(loader, number, workers) for number in range(2))
    except Stop:
        raise
    except Exception as error:
        return Observation(OPEN, reason=f"the dataset could not be iterated: {describe(error)}")
    if len(set(alone)) >= _LEAST and alone == first == second:
        return Observation(
            SHOWN,
            evidence=f"workers 0 and 1 of {workers} give the same {len(alone)} samples, all that "
            "one process alone would give",
        )
    if first != second and not set(first) & set(second):
        return Observation(
            ABSENT,
            evidence=f"workers 0 and 1 give {len(first)} and {len(second)} samples, none in common",
        )
    return Observation(OPEN, reason="the workers have some samples in common")


def _given(loader: DataLoader[Any], number: int | None, workers: int) -> list[bytes]:
    """The first samples of a worker, in a form that can be compared; None is no worker."""
    with as_worker(loader, number, workers) as dataset:
        return [print_of(sample) for sample in islice(iter(dataset), _MOST)]


@contextmanager
def as_worker(loader: DataLoader[Any], number: int | None, workers: int) -> Iterator[Any]:
    """The dataset that a worker has, within this process as if it were that; None is no worker."""
    try:
        dataset = pickle.loads(pickle.dumps(loader.dataset))
    except Exception:
        dataset = copy.deepcopy(loader.dataset)
    numpy: Any = sys.modules.get("numpy")
    before = worker._worker_info, torch.get_rng_state(), random.getstate()
    of_numpy = numpy.random.get_state() if numpy else None
    seed = 1 + (number or 0)
    try:
        torch.manual_seed(seed)
        random.seed(seed)
        if numpy:
            numpy.random.seed(seed)
        worker._worker_info = None
        if number is not None:
            info = worker.WorkerInfo(id=number, num_workers=workers, seed=seed, dataset=dataset)
            worker._worker_info = info
            if loader.worker_init_fn is not None:
                loader.worker_init_fn(number)
        yield dataset
    finally:
        worker._worker_info = before[0]
        torch.set_rng_state(before[1])
        random.setstate(before[2])
        if numpy:
            numpy.random.set_state(of_numpy)


def print_of(sample: Any) -> bytes:
    """Bytes that are equal for equal samples."""
    match sample:
        case torch.Tensor():
            return repr((sample.dtype, sample.tolist())).encode()
        case dict():
            return (
                b"{" + b",".join(repr(k).encode() + print_of(v) for k, v in sample.items()) + b"}"
            )
        case list() | tuple():
            return b"[" + b",".join(map(print_of, sample)) + b"]"
    return pickle.dumps(sample)


def iterable_duplicates(job: Job) -> Observation:
    """TL608: two workers of the flagged loader give the same samples, all that there are."""
    return investigate(
        job, Question(watch=lambda project, program: Duplicates(project, job.target))
    )
