"""What is built again in every round, and has no time to remember anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from torchlint.interpreter.events.training import (
    Built,
    ScalerBuilt,
    ScalerCall,
    SchedulerBuilt,
    SchedulerStep,
    Step,
)
from torchlint.interpreter.values import FALSE, Const

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torchlint.interpreter.trace import Event, Trace
    from torchlint.interpreter.values import Spot

_FORGETFUL = "torch.optim.SGD"

Making = TypeVar("Making", Built, SchedulerBuilt, ScalerBuilt)


def optimizers(trace: Trace) -> Iterator[tuple[Built, Event]]:
    """Optimizers of older parameters that live for one step."""

    def steps(built: Built) -> list[Step]:
        return [
            step for step in trace.of(Step) if built.inherited and step.address == built.address
        ]

    return _short_lived(trace, trace.of(Built), steps)


def remembers(built: Built) -> bool:
    """Whether an optimizer has anything to remember: plain SGD has not."""
    momentum = built.optimizer.options.get("momentum", Const(0))
    return built.optimizer.kind != _FORGETFUL or momentum not in (Const(0), Const(0.0), FALSE)


def schedulers(trace: Trace) -> Iterator[tuple[SchedulerBuilt, Event]]:
    """Schedulers of older optimizers that live for one step."""

    def steps(built: SchedulerBuilt) -> list[SchedulerStep]:
        found = trace.of(SchedulerStep)
        return [step for step in found if built.inherited and step.address == built.address]

    return _short_lived(trace, trace.of(SchedulerBuilt), steps)


def scalers(trace: Trace) -> Iterator[tuple[ScalerBuilt, Event]]:
    """Scalers that live for one step of an older optimizer."""
    younger = {built.address: built.rounds for built in trace.of(Built)}

    def steps(built: ScalerBuilt) -> list[ScalerCall]:
        return [
            call
            for call in trace.of(ScalerCall)
            if call.address == built.address
            and call.method == "step"
            and younger.get(call.optimizer or 0) != built.rounds
        ]

    return _short_lived(trace, trace.of(ScalerBuilt), steps)


def _short_lived(
    trace: Trace, built: Sequence[Making], steps: Callable[[Making], Sequence[Event]]
) -> Iterator[tuple[Making, Event]]:
    """What is built in round after round, and used in just that one and in no loop within it."""
    groups: dict[Spot, list[Making]] = {}
    for making in built:
        groups.setdefault(making.spot, []).append(making)
    for makings in groups.values():
        used = [steps(making) for making in makings]
        if len(makings) > 1 and all(
            found
            and making.rounds
            and making.address not in trace.escaped
            and all(step.rounds == making.rounds for step in found)
            for making, found in zip(makings, used, strict=True)
        ):
            yield makings[-1], used[-1][-1]
