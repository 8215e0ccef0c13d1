"""TL604: whether two workers draw the same numbers from a generator that both have a copy of."""

from __future__ import annotations

import random
import sys
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.utils.data import DataLoader, IterableDataset, Subset

from .experiments import describe
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer, Stop
from .ways import Question, investigate
from .workers import as_worker, print_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .loading import Program
    from .protocol import Job

_LEAST = 2
_ITEMS = 4
_DEEPEST = 3


class Alike(Observer):
    """Compares what the first two workers of a loader draw, once it is iterated."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program
        self._seen: Observation | None = None
        self._used: list[Any] = []

    def watching(self) -> AbstractContextManager[Any]:
        """Loaders are looked at when they are first iterated, as workers begin then."""
        return self._looking()

    @contextmanager
    def _looking(self) -> Iterator[None]:
        init, iterate = DataLoader.__init__, DataLoader.__iter__
        asked: dict[int, tuple[DataLoader[Any], int]] = {}

        def built(loader: DataLoader[Any], *args: Any, **options: Any) -> None:
            workers = args[5] if len(args) > 5 else options.get("num_workers", 0)
            init(loader, *args, **options)
            if workers >= _LEAST:
                asked[id(loader)] = loader, workers

        def iterated(loader: DataLoader[Any]) -> Any:
            base = _base(loader)
            # Whoever has given items here is no longer as the workers would have found it.
            fresh = not any(base is other for other in self._used)
            if id(loader) in asked and fresh and not self.has_seen_enough():
                self._seen = self._compare(*asked[id(loader)])
            self._used.append(base)
            return iterate(loader)

        with (
            mock.patch.object(DataLoader, "__init__", built),
            mock.patch.object(DataLoader, "__iter__", iterated),
        ):
            yield

    def has_seen_enough(self) -> bool:
        """One comparison tells."""
        return self._seen is not None and self._seen.outcome == SHOWN

    def conclude(self, ended: bool) -> Observation:
        """What the last comparison said."""
        return self._seen or Observation(
            OPEN, reason="no loader with two workers or more was iterated"
        )

    def _compare(self, loader: DataLoader[Any], workers: int) -> Observation:
        if type(_base(loader)).__module__.startswith(__package__ or "?"):
            return Observation(OPEN, reason="the dataset is not there, and had to be stood in for")
        shared = [value for name in self._modules() for value in _generators(vars(name), 0)]
        try:
            first, used = _drawn(loader, 0, workers, shared)
            second, _ = _drawn(loader, 1, workers, shared)
        except Stop:
            raise
        except Exception as error:
            return Observation(OPEN, reason=f"the dataset could not be asked: {describe(error)}")
        if not used:
            return Observation(ABSENT, evidence="no generator that it keeps is drawn from")
        if first == second and any(item != again for item, again in first):
            return Observation(
                SHOWN,
                evidence=f"workers 0 and 1 of {workers} give the same {len(first)} items, though "
                "each of these is another one when it is asked for again",
            )
        if first != second:
            return Observation(ABSENT, evidence="workers 0 and 1 draw different numbers")
        return Observation(OPEN, reason="the items do not depend on what is drawn")

    def _modules(self) -> list[Any]:
        """The modules of the user's own."""
        return [
            module
            for module in list(sys.modules.values())
            if self._program.finder.owns(getattr(module, "__file__", None) or "")
        ]


def _base(loader: DataLoader[Any]) -> Any:
    """The dataset that a loader's is a part of."""
    base: Any = loader.dataset
    while isinstance(base, Subset):
        base = base.dataset
    return base


def _drawn(
    loader: DataLoader[Any], number: int, workers: int, shared: list[Any]
) -> tuple[list[tuple[bytes, bytes]], bool]:
    """Items of one worker, each asked for twice, and whether a generator was used for them."""
    states = [_state(generator) for generator in shared]
    try:
        with as_worker(loader, number, workers) as dataset:
            kept = [*shared, *_generators(vars(dataset), 0)]
            before = [_print_of_state(generator) for generator in kept]
            items = list(_items(dataset))
            used = before != [_print_of_state(generator) for generator in kept]
    finally:
        for generator, state in zip(shared, states, strict=True):
            _set_state(generator, state)
    return items, used


def _items(dataset: Any) -> Iterator[tuple[bytes, bytes]]:
    if isinstance(dataset, IterableDataset):
        once = [print_of(item) for item in islice(iter(dataset), _ITEMS)]
        again = [print_of(item) for item in islice(iter(dataset), _ITEMS)]
        yield from zip(once, again, strict=False)
        return
    for index in range(min(_ITEMS, len(dataset))):
        yield print_of(dataset[index]), print_of(dataset[index])


def _generators(held: dict[str, Any], depth: int) -> Iterator[Any]:
    """Random generators among values, and those that they hold."""
    for value in held.values():
        if _is_generator(value):
            yield value
        elif depth < _DEEPEST and type(value).__module__ not in {"builtins", "numpy", "torch"}:
            inner = getattr(value, "__dict__", None)
            if isinstance(inner, dict) and not isinstance(value, type):
                yield from _generators(inner, depth + 1)


def _is_generator(value: Any) -> bool:
    numpy: Any = sys.modules.get("numpy")
    kinds: tuple[Any, ...] = (random.Random, torch.Generator)
    if numpy:
        kinds += (numpy.random.Generator, numpy.random.RandomState)
    return isinstance(value, kinds)


def _state(generator: Any) -> Any:
    match generator:
        case random.Random():
            return generator.getstate()
        case torch.Generator():
            return generator.get_state()
    if hasattr(generator, "bit_generator"):
        return generator.bit_generator.state
    return generator.get_state()


def _set_state(generator: Any, state: Any) -> None:
    match generator:
        case random.Random():
            generator.setstate(state)
        case torch.Generator():
            generator.set_state(state)
        case _ if hasattr(generator, "bit_generator"):
            generator.bit_generator.state = state
        case _:
            generator.set_state(state)


def _print_of_state(generator: Any) -> str:
    state = _state(generator)
    return repr(state.tolist() if isinstance(state, torch.Tensor) else state)


def shared_rng_in_dataset(job: Job) -> Observation:
    """TL604: two workers draw the same numbers."""
    if "numpy's global" in job.target.message:
        return Observation(OPEN, reason="the torch at hand seeds numpy in each of its workers")
    return investigate(job, Question(watch=lambda project, program: Alike(program)))
