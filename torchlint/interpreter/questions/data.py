"""Modules in Datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.data import DatasetModule, Loading

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
