"""Settings of training loaders that make the training wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.data import Pass
from torchlint.interpreter.events.loading import LoaderBuilt
from torchlint.interpreter.events.workers import Accelerated
from torchlint.interpreter.questions import loading
from torchlint.interpreter.questions.workers import has_workers
from torchlint.interpreter.values import FALSE, NONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot

NO_WORKERS = "num_workers"
NOT_PINNED = "pin_memory"
NOT_PERSISTENT = "persistent_workers"


def waiting(trace: Trace) -> Iterator[tuple[LoaderBuilt, str, Spot]]:
    """Loaders that a model is trained on, the setting that they lack, and where that tells."""
    for built in trace.of(LoaderBuilt):
        for each in trace.of(Pass) if not built.open else ():
            if each.sure and built.loader in each.loaders and loading.optimises(trace, each):
                yield from _lacking(trace, built, each)
                break


def _lacking(
    trace: Trace, built: LoaderBuilt, each: Pass
) -> Iterator[tuple[LoaderBuilt, str, Spot]]:
    settings = built.settings
    if NO_WORKERS not in settings:
        yield built, NO_WORKERS, each.spot
        return
    stays = settings.get(NOT_PERSISTENT, FALSE) != FALSE
    if has_workers(settings) and not stays and loading.comes_again(built, each):
        yield built, NOT_PERSISTENT, each.spot
        return
    if settings.get(NOT_PINNED, FALSE) in {FALSE, NONE}:
        for moved in trace.of(Accelerated):
            if moved.dataset is None and any(r.loop == each.loop for r in moved.rounds):
                yield built, NOT_PINNED, moved.spot
                break
