"""What goes into the workers of loaders, and fares ill there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.loading import LoaderBuilt
from torchlint.interpreter.events.workers import DatasetMade, Load, Loaded, StartMethod
from torchlint.interpreter.values import FALSE, NONE, Const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot, Value


def unpicklable(trace: Trace) -> Iterator[tuple[Load, Spot | None]]:
    """What datasets hold that cannot be pickled, with the loader that has workers for them.

    What processes must not share is open to the mistake wherever the project has workers at all, if
    it is not seen how the dataset is loaded. The rest is good for workers that are surely forked.
    """
    seen = set()
    for loaded in trace.of(Loaded):
        if has_workers(loaded.settings):
            for load in loaded.loads:
                if load.spot not in seen and (load.shared or not _forks(trace, loaded.settings)):
                    seen.add(load.spot)
                    yield load, loaded.spot
    for made in () if trace.of(LoaderBuilt) else trace.of(DatasetMade):
        for load in made.loads:
            if made.apart and load.spot not in seen:
                seen.add(load.spot)
                yield load, None


def has_workers(settings: dict[str, Value]) -> bool:
    """Whether a loader may have workers, to go by what it is told of them."""
    return settings.get("num_workers", NONE) not in {NONE, FALSE, Const(0)}


def _forks(trace: Trace, settings: dict[str, Value]) -> bool:
    """Whether the program says that workers are forked, or says what is not known."""
    context = settings.get("multiprocessing_context", NONE)
    if context != NONE:
        return context not in {Const("spawn"), Const("forkserver")}
    return any(event.method not in {"spawn", "forkserver"} for event in trace.of(StartMethod))
