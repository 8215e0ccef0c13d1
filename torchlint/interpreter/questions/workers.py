"""What goes into the workers of loaders, and fares ill there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.loading import LoaderBuilt, WorkerAsked
from torchlint.interpreter.events.workers import (
    Accelerated,
    Collated,
    DatasetMade,
    Drawn,
    GeneratorMade,
    Load,
    Loaded,
    Reseeded,
    StartMethod,
    TensorHeld,
)
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


def alike(trace: Trace) -> Iterator[tuple[Drawn, GeneratorMade | None, LoaderBuilt | None]]:
    """Draws for items that are the same in all workers, where the generator is made, and a loader.

    The generator is older than the workers, each of which has a copy; numpy's global one was until
    torch 1.9 seeded it for each. Nobody gives a worker a state of its own.
    """
    if trace.of(WorkerAsked):
        return
    reseeded = {event.generator for event in trace.of(Reseeded)}
    made = {event.generator: event for event in trace.of(GeneratorMade) if not event.fresh}
    seen = set()
    for drawn in trace.of(Drawn):
        source = made.get(drawn.generator) if drawn.generator is not None else None
        if drawn.generator in reseeded or (source is None and not _is_global(trace, drawn)):
            continue
        at = drawn.spot if source is None else source.spot
        loaders = trace.of(LoaderBuilt)
        parallel = [each for each in loaders if each.base == drawn.dataset and _is_alike(each)]
        if at not in seen and (parallel or (not loaders and drawn.apart)):
            seen.add(at)
            yield drawn, source, parallel[0] if parallel else None


def _is_global(trace: Trace, drawn: Drawn) -> bool:
    return drawn.generator is None and trace.releases.reach_below("1.9")


def _is_alike(built: LoaderBuilt) -> bool:
    """Whether a loader has two workers or more, and nothing is done about one that begins."""
    workers = built.settings.get("num_workers", NONE)
    return (
        has_workers(built.settings)
        and workers != Const(1)
        and not built.open
        and built.settings.get("worker_init_fn", NONE) == NONE
    )


def accelerated(trace: Trace) -> Iterator[tuple[Accelerated, LoaderBuilt | None]]:
    """Moves to an accelerator that are for workers to make, and the loader that has them.

    A worker that was not forked can make them.
    """
    seen = set()
    loaders = [each for each in trace.of(LoaderBuilt) if not each.open]
    for moved in trace.of(Accelerated):
        forked = (
            each
            for each in loaders
            if has_workers(each.settings)
            and not _spawns(trace, each.settings)
            and _makes(trace, each, moved)
        )
        built = next(forked, None)
        alone = moved.dataset is not None and not trace.of(LoaderBuilt) and moved.apart
        if moved.spot not in seen and (built is not None or (alone and moved.sure)):
            seen.add(moved.spot)
            yield moved, built


def _makes(trace: Trace, built: LoaderBuilt, moved: Accelerated) -> bool:
    """Whether a loader moves something itself, or has to load what has been moved."""
    return (
        (moved.dataset is not None and moved.dataset == built.base)
        or any(
            each.loader == built.loader and moved.index in each.events
            for each in trace.of(Collated)
        )
        or any(
            each.loader == built.loader and (each.moved == moved.spot or each.tensor == moved.made)
            for each in trace.of(TensorHeld)
        )
    )


def _spawns(trace: Trace, settings: dict[str, Value]) -> bool:
    """Whether the program says that workers are begun in another way than by a fork."""
    context = settings.get("multiprocessing_context", NONE)
    if context != NONE:
        return context != Const("fork")
    return any(event.method != "fork" for event in trace.of(StartMethod))


def has_workers(settings: dict[str, Value]) -> bool:
    """Whether a loader may have workers, to go by what it is told of them."""
    return settings.get("num_workers", NONE) not in {NONE, FALSE, Const(0)}


def _forks(trace: Trace, settings: dict[str, Value]) -> bool:
    """Whether the program says that workers are forked, or says what is not known."""
    context = settings.get("multiprocessing_context", NONE)
    if context != NONE:
        return context not in {Const("spawn"), Const("forkserver")}
    return any(event.method not in {"spawn", "forkserver"} for event in trace.of(StartMethod))
