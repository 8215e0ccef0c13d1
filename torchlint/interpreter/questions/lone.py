"""Last batches of training loaders that may hold one sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.data import Pass
from torchlint.interpreter.events.loading import MAP, LoaderBuilt, LoneNorm
from torchlint.interpreter.events.modes import LayerUse
from torchlint.interpreter.questions import loading
from torchlint.interpreter.switches import training
from torchlint.interpreter.values import FALSE, NONE, Const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def lone_samples(trace: Trace) -> Iterator[tuple[LoaderBuilt, LoneNorm]]:
    """Loaders that give what is left over as a batch, with a batch norm that trains on it."""
    norms = [norm for norm in trace.of(LoneNorm) if _trains(trace, norm)]
    for built in trace.of(LoaderBuilt) if norms else ():
        if not _may_leave_one(built):
            continue
        for each in trace.of(Pass):
            if each.sure and built.loader in each.loaders and loading.optimises(trace, each):
                within = [norm for norm in norms if any(r.loop == each.loop for r in norm.rounds)]
                if within:
                    yield built, within[0]
                    break


def _may_leave_one(built: LoaderBuilt) -> bool:
    """Whether the last batch may have one sample, for all that is known of the length."""
    settings = built.settings
    size = settings.get("batch_size", Const(1))
    if built.style != MAP or built.open or settings.get("drop_last", FALSE) != FALSE:
        return False
    if settings.get("batch_sampler", NONE) != NONE or size in {Const(1), NONE}:
        return False
    whole = settings.get("sampler", NONE) == NONE and built.length is not None
    if whole and isinstance(size, Const) and isinstance(size.value, int) and size.value > 0:
        return built.length is not None and built.length % size.value == 1
    return True


def _trains(trace: Trace, norm: LoneNorm) -> bool:
    """Whether the layer is not seen to be in evaluation mode."""
    return all(
        training(use.modes) is not False for use in trace.of(LayerUse) if use.spot == norm.spot
    )
