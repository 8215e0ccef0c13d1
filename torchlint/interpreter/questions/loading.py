"""Loaders and samplers: who draws what, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.amounts import Of
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.data import (
    Cycled,
    EpochSet,
    Pass,
    RankGiven,
    SamplerBuilt,
    Taken,
    WholeLoader,
)
from torchlint.interpreter.events.distributed import WrapperCall
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.loading import (
    MAP,
    STREAM,
    Imported,
    LoaderBuilt,
    Source,
    Trained,
    WorkerAsked,
)
from torchlint.interpreter.events.modes import Pass as ModelPass
from torchlint.interpreter.events.training import Built, Step
from torchlint.interpreter.questions import measuring, modes
from torchlint.interpreter.values import FALSE, NONE, TRUE, Const, Either, Ref, options_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from torchlint.interpreter.trace import Event, Trace
    from torchlint.interpreter.values import Value


def epochs_alike(trace: Trace) -> Iterator[tuple[SamplerBuilt, Pass]]:
    """Shuffling samplers that several passes go over without having been told of the epoch.

    An evaluation may be in any order.
    """
    told = {event.sampler for event in trace.of(EpochSet)}
    for built in trace.of(SamplerBuilt):
        if not built.shuffles or built.sampler in trace.escaped or told & {built.sampler, None}:
            continue
        passes = [
            each
            for each in trace.of(Pass)
            if built.sampler in each.samplers
            and (_trains(trace, each) or _feeds_for_ever(trace, each))
        ]
        for each in passes:
            if (
                each.rounds[len(built.rounds) :]
                and each.rounds[: len(built.rounds)] == built.rounds
            ):
                yield built, each
                break


def _feeds_for_ever(trace: Trace, over: Pass) -> bool:
    """Whether a generator goes over loaders again and again, for a training that asks it."""
    cycles = {each.generator for each in trace.of(Cycled) if over.loaders & each.loaders}
    return any(
        each.generator in cycles and _feeds_training(trace, each) for each in trace.of(Taken)
    )


def undivided(trace: Trace) -> Iterator[tuple[WholeLoader, WrapperCall]]:
    """Loaders of whole datasets over which several processes train one model.

    Where anything is told the rank, it may divide the data by it.
    """
    if trace.of(RankGiven):
        return
    for built in trace.of(WholeLoader):
        if built.loader in trace.escaped:
            continue
        for each in trace.of(Pass):
            if each.sure and built.loader in each.loaders:
                calls = [
                    call for call in trace.of(WrapperCall) if call.sure and _within(call, each)
                ]
                if calls and any(_within(backward, each) for backward in trace.of(Backward)):
                    yield built, calls[0]
                    break


def unshuffled(trace: Trace) -> Iterator[tuple[LoaderBuilt, Pass | Taken | Trained]]:
    """Loaders in the order of their dataset, over which an optimizer goes again and again.

    Where the batch is the whole, or the items were drawn at random, order is nothing.
    """
    for built in trace.of(LoaderBuilt):
        if built.style != MAP or built.open or built.mixed or _is_ordered(built):
            continue
        training = next(_trainings(trace, built), None)
        if training is not None:
            yield built, training


def keeps_pairs(trace: Trace, loop: Pass | Taken | Trained) -> bool:
    """Whether a loop is over several loaders, all in order: items may belong together by place."""
    if not isinstance(loop, Pass) or len(loop.loaders) < 2 or not loop.sure:
        return False
    together = [each for each in trace.of(LoaderBuilt) if each.loader in loop.loaders]
    return all(each.settings.get("shuffle", FALSE) == FALSE for each in together)


def is_asked_for(trace: Trace, built: LoaderBuilt, loop: Pass | Taken | Trained) -> bool:
    """Whether a loop may be over a loader of the same data instead that draws it at random.

    Several processes draw from shares of it, which says nothing of the order that one is to have.
    """
    if not isinstance(loop, Pass) or loop.sure:
        return False
    shares = {each.sampler for each in trace.of(SamplerBuilt)}
    return any(
        each.settings.get("shuffle") == TRUE or _is_drawn(each.settings.get("sampler"), shares)
        for each in trace.of(LoaderBuilt)
        if each.loader in loop.loaders and each.dataset == built.dataset is not None
    )


def _is_drawn(sampler: Value | None, shares: set[int]) -> bool:
    return isinstance(sampler, Ref) and sampler.address not in shares


def _trainings(trace: Trace, built: LoaderBuilt) -> Iterator[Pass | Taken | Trained]:
    """Where a model is trained on a loader, epoch after epoch."""
    for each in trace.of(Pass):
        if built.loader in each.loaders and comes_again(built, each) and optimises(trace, each):
            yield each
    yield from (taken for taken in _taken(trace, built) if _feeds_training(trace, taken))
    yield from (event for event in trace.of(Trained) if event.loader == built.loader)


def _taken(trace: Trace, built: LoaderBuilt) -> Iterator[Taken]:
    """Where a generator that goes over a loader again and again is asked for batch after batch."""
    cycles = {each.generator for each in trace.of(Cycled) if built.loader in each.loaders}
    for each in trace.of(Taken):
        if each.generator in cycles and len(each.rounds) > len(built.rounds):
            yield each


def _feeds_training(trace: Trace, taken: Taken) -> bool:
    """Whether the model that is called next is trained by it, on what is older than the rounds."""
    calls = (each for each in trace.of(ModelPass) if each.index > taken.index)
    call = next(calls, None)
    if call is None or call.rounds[: len(taken.rounds)] != taken.rounds:
        return False
    loops = {each.loop for each in taken.rounds}
    built = [each.address for each in trace.of(Built) if loops & {r.loop for r in each.rounds}]
    return call in measuring.trained(trace) and any(
        step.address not in built and loops & {r.loop for r in step.rounds}
        for step in trace.of(Step)
    )


def shuffled_evaluations(trace: Trace) -> Iterator[tuple[LoaderBuilt, Pass]]:
    """Loaders that shuffle though nothing is trained on them, and that a model is measured on."""
    measured = list(modes.evaluations(trace))
    for built in trace.of(LoaderBuilt):
        if built.settings.get("shuffle") != TRUE or built.loader in trace.escaped:
            continue
        passes = [each for each in trace.of(Pass) if built.loader in each.loaders]
        if any(_trains(trace, each) for each in passes):
            continue
        for each in passes:
            if each.sure and any(_within(event, each) for event in measured):
                yield built, each
                break


def workers_of(built: LoaderBuilt) -> int:
    """How many workers a loader surely has; 0 where that is not known."""
    given = built.settings.get("num_workers")
    return given.value if isinstance(given, Const) and isinstance(given.value, int) else 0


def begun_by_import(trace: Trace) -> Iterator[tuple[Imported, LoaderBuilt]]:
    """The first loop over a loader with workers that begins whoever imports the file."""
    for event in trace.of(Imported):
        for built in trace.of(LoaderBuilt):
            if built.loader in event.what.loaders and event.what.sure and workers_of(built):
                yield event, built
                return


def duplicated(trace: Trace) -> Iterator[tuple[LoaderBuilt, Source, int]]:
    """Loaders with several workers, each of which goes through all of a stream; and how many.

    Nobody asks in which worker it is, and no function begins the workers.
    """
    if trace.of(WorkerAsked):
        return
    for built in trace.of(LoaderBuilt):
        workers = workers_of(built)
        sources = _sources(trace, built.dataset)
        if (
            built.style == STREAM
            and not built.open
            and workers > 1
            and built.settings.get("worker_init_fn", NONE) == NONE
            and sources
            and all(each.whole for each in sources)
        ):
            yield built, sources[0], workers


def _sources(trace: Trace, stream: int | None) -> list[Source]:
    """What a stream goes through, and other streams do that it is made of."""
    found: list[Source] = []
    pending, seen = [stream], {stream}
    while pending:
        current = pending.pop()
        own = [each for each in trace.of(Source) if each.stream == current]
        inner = {each.inner for each in own if each.inner} - seen
        if not own:
            return []  # What it goes through is out of sight.
        found += [each for each in own if not (each.inner and each.whole)]
        pending += sorted(inner)
        seen |= inner
    return found


def _is_ordered(built: LoaderBuilt) -> bool:
    """Whether something is said of the order, other than that it stays."""
    settings = built.settings
    if not all(_may_be_left_out(settings, name) for name in ("sampler", "batch_sampler")):
        return True
    size = settings.get("batch_size", NONE)
    if any(_may_be_whole(built, option) for option in options_of(size)):
        return True
    return settings.get("shuffle", NONE) not in {NONE, FALSE}


def _may_be_whole(built: LoaderBuilt, size: Value) -> bool:
    """Whether a batch has room for all items."""
    match size:
        case Number(amount=amount):
            return amount is not None and amount.of is Of.LENGTH
        case Const(value=int() as known):
            return built.length is not None and known >= built.length
    return False


def _may_be_left_out(settings: Mapping[str, Value], name: str) -> bool:
    """Whether a setting is None, or is on some way: that of one process has no sampler."""
    given = settings.get(name, NONE)
    return given == NONE or (isinstance(given, Either) and NONE in given.options)


def comes_again(built: LoaderBuilt, each: Pass) -> bool:
    """Whether the same loader is gone over in round after round."""
    begun = len(built.rounds)
    return len(each.rounds) > begun and each.rounds[:begun] == built.rounds


def optimises(trace: Trace, loop: Pass) -> bool:
    """Whether the rounds of a loop train something that is older than they are."""
    within = {event.address for event in trace.of(Built) if _within(event, loop)}
    return any(
        _within(step, loop) and step.address not in within for step in trace.of(Step)
    ) and any(_within(event, loop) for event in trace.of(Backward))


def _trains(trace: Trace, loop: Pass) -> bool:
    """Whether gradients are computed or used in the rounds of a loop."""
    return any(_within(event, loop) for event in (*trace.of(Backward), *trace.of(Step)))


def _within(event: Event, loop: Pass) -> bool:
    return any(round_.loop == loop.loop for round_ in event.rounds)
