"""Training and evaluation: which of them have samples in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.data import Pass
from torchlint.interpreter.events.loading import MAP, LoaderBuilt, Split
from torchlint.interpreter.events.seeds import Seed
from torchlint.interpreter.questions import loading, modes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.loading import Portion
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot


def leaks(trace: Trace) -> Iterator[tuple[LoaderBuilt, LoaderBuilt, str]]:
    """Loaders that a model is measured on, those that it is trained on, and what is common.

    Where something else is measured too, the data of the training may be there for comparison.
    """
    trained = list(_trained(trace))
    loops = list(_measuring(trace))
    if not trained or loops.count(None):
        return
    addresses = {built.loader for built in trained}
    measured = {
        built.loader: built
        for loop in loops
        for built in trace.of(LoaderBuilt)
        if loop is not None and built.loader in loop.loaders - addresses
    }
    shares = {address: _shared(trace, built, trained) for address, built in measured.items()}
    for address, (other, why) in shares.items():
        if other is not None and (why != SAME or all(one for one, _ in shares.values())):
            yield measured[address], other, why


def augmented(trace: Trace) -> Iterator[tuple[LoaderBuilt, Spot]]:
    """Loaders whose items a transform changes at random, and that a model is only measured on."""
    loops = [loop for loop in _measuring(trace) if loop is not None and loop.sure]
    for built in trace.of(LoaderBuilt):
        passes = [each for each in trace.of(Pass) if built.loader in each.loaders]
        if built.augmented is None or any(loading.optimises(trace, each) for each in passes):
            continue
        if any(loop in passes for loop in loops) and any(
            loading.optimises(trace, each) for each in trace.of(Pass)
        ):
            yield built, built.augmented


def _trained(trace: Trace) -> Iterator[LoaderBuilt]:
    """The loaders that a model is surely trained on."""
    for built in trace.of(LoaderBuilt):
        if built.portion is not None and built.style == MAP and not built.open:
            passes = [each for each in trace.of(Pass) if built.loader in each.loaders]
            if any(each.sure and loading.optimises(trace, each) for each in passes):
                yield built


def _measuring(trace: Trace) -> Iterator[Pass | None]:
    """The loops over loaders that a model is measured in; None for any other measurement.

    The innermost one counts: around it may be that of the training.
    """
    passes = {each.loop: each for each in reversed(trace.of(Pass))}
    for event in modes.evaluations(trace):
        loops = (passes.get(round_.loop) for round_ in reversed(event.rounds))
        yield next((each for each in loops if each is not None), None)


def _shared(
    trace: Trace, built: LoaderBuilt, trained: list[LoaderBuilt]
) -> tuple[LoaderBuilt | None, str]:
    """The loader of the training with which a loader surely has samples in common, and which."""
    for other in trained:
        if built.portion is not None and other.portion is not None and not built.open:
            why = _common(trace, built.portion, other.portion)
            if why:
                return other, why
    return None, ""


SAME = "has the very samples"
WHOLE = "has some of the samples"
APART = "comes from another random split of the dataset"


def _common(trace: Trace, one: Portion, other: Portion) -> str:
    """What a portion has in common with that of a training; empty where that is not known."""
    if one.base != other.base:
        return ""
    if one.cuts == other.cuts:
        return SAME
    if not other.cuts:
        return WHOLE
    if not one.cuts:
        return SAME
    numbers = [cuts[0][0] for cuts in (one.cuts, other.cuts) if len(cuts) == 1 == len(cuts[0]) - 1]
    splits = [event for event in trace.of(Split) if event.index in numbers]
    if len(splits) < 2 or any(event.seeded for event in splits):
        return ""
    first, last = splits
    seeds = [event for event in trace.of(Seed) if first.index < event.index < last.index]
    return "" if seeds else APART
