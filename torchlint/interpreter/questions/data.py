"""Modules in Datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.data import Begun, DatasetModule, Loading, OldNext
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.loading import MAP, LoaderBuilt
from torchlint.interpreter.values import FALSE, NONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def dataset_modules(trace: Trace) -> Iterator[DatasetModule]:
    """Modules in Datasets: where they are stored or built, else where they are called.

    Frozen ones that are only loaded in the process itself do no harm.
    """
    events = list(trace.of(DatasetModule))
    stored = {event.dataset for event in events if event.how == "stores"}
    seen = set()
    for event in events:
        loaders = [each for each in trace.of(Loading) if each.dataset == event.dataset]
        if event.frozen and loaders and all(loader.in_process for loader in loaders):
            continue
        if event.spot not in seen and not (event.how == "calls" and event.dataset in stored):
            seen.add(event.spot)
            yield event


_NO_NEXT = "1.13"


def old_nexts(trace: Trace) -> Iterator[OldNext]:
    """Calls of a method that iterators of loaders do not have in a release that is supported."""
    if trace.releases.reach(_NO_NEXT):
        yield from trace.of(OldNext)


def first_batches(trace: Trace) -> Iterator[tuple[Begun, LoaderBuilt]]:
    """Loaders that are begun anew in each round of a loop that trains, and go in one order.

    Whoever begins a loader under a condition, or where another loop does the training, may want no
    more than a look at its first batch.
    """
    for begun in trace.of(Begun):
        if not begun.rounds or not begun.sure or begun.loader in trace.escaped:
            continue
        loop = begun.rounds[-1].loop
        trained = any(each.rounds and each.rounds[-1].loop == loop for each in trace.of(Backward))
        for built in trace.of(LoaderBuilt) if trained else ():
            again = all(each.loop != loop for each in built.rounds)
            if built.loader == begun.loader and again and _is_in_order(built):
                yield begun, built


def _is_in_order(built: LoaderBuilt) -> bool:
    """Whether a loader surely gives the items of its dataset in the order of their indices."""
    given = [built.settings.get(name) for name in ("shuffle", "sampler", "batch_sampler")]
    return (
        built.style == MAP
        and not built.open
        and all(value is None or value in (NONE, FALSE) for value in given)
    )
