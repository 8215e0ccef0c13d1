"""The protocol of a scaler: scale, backward, perhaps unscale, step, update."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.training import ScalerCall, Step
from torchlint.interpreter.optimisation import Phase, Stage
from torchlint.interpreter.questions import some_rounds
from torchlint.project import around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.optimisation import Gradients
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot


def plain_steps(trace: Trace) -> Iterator[tuple[Step, Spot]]:
    """Steps of an optimizer's own with scaled gradients, and the backward that made these."""
    for step in trace.of(Step):
        if step.bare and step.address is not None:
            spot = _backward(step.gradients, scaled=True)
            if spot is not None:
                yield step, spot


def is_guessed(trace: Trace, step: Step) -> bool:
    """Whether only names say what steps, and what has scaled."""
    hinted = step.optimizer is not None and step.optimizer.hinted
    return hinted or any(call.scaler.hinted for call in trace.of(ScalerCall))


def unscaled(trace: Trace) -> Iterator[tuple[ScalerCall, Spot]]:
    """Calls that divide gradients which no scaler has scaled, and the backward that made these.

    A step divides what has not been divided before it.
    """
    for call in (*_calls(trace, "unscale_"), *_calls(trace, "step")):
        if Stage.UNSEEN not in call.stages and not call.scaler.escaped:
            spot = _backward(call.gradients, scaled=False)
            if spot is not None:
                yield call, spot


def repeated(trace: Trace) -> Iterator[tuple[ScalerCall, ScalerCall]]:
    """Calls that come a second time, or too late, without an update in between; and the first."""
    for method, stages in (("step", {Stage.STEPPED}), ("unscale_", set(Stage) - {Stage.READY})):
        for call in _calls(trace, method):
            if call.stages <= stages and Stage.UNSEEN not in call.stages:
                yield call, _last(trace, call)


def left_behind(trace: Trace) -> Iterator[tuple[ScalerCall, ScalerCall]]:
    """Calls of every round that find what the round before has left, and an update of some rounds.

    Which those are is decided in the loop: by its counter, or by what it computes.
    """
    updates = list(_calls(trace, "update"))
    for method in ("unscale_", "step"):
        for call in _calls(trace, method):
            late = Stage.READY in call.stages and len(call.stages) > 1
            if not late or Stage.UNSEEN in call.stages:
                continue
            own = [each for each in updates if each.address == call.address]
            same = [each for each in own if not _is_instead(each, call)]
            if same and all(some_rounds.decided(each, call) for each in same):
                yield call, same[-1]


def _is_instead(one: ScalerCall, other: ScalerCall) -> bool:
    """Whether one of two calls is made where the other is not."""
    region = one.spot.region
    return region is other.spot.region and around.are_alternatives(
        region, one.spot.node, other.spot.node
    )


def early_updates(trace: Trace) -> Iterator[tuple[ScalerCall, ScalerCall]]:
    """Updates before anything was unscaled or stepped, and the step that comes after them."""
    if any(step.address is None for step in trace.of(Step)):
        return
    for update in _calls(trace, "update"):
        if update.stages == {Stage.READY}:
            for call in _calls(trace, "step"):
                after = call.index > update.index and call.rounds == update.rounds
                if after and call.address == update.address:
                    yield update, call
                    break


def _calls(trace: Trace, method: str) -> Iterator[ScalerCall]:
    for call in trace.of(ScalerCall):
        if call.method == method and call.scaler.enabled is not False:
            yield call


def _backward(gradients: frozenset[Gradients], *, scaled: bool) -> Spot | None:
    """The backward that made gradients, if they all are as is asked, and not divided since."""
    fitting = [
        each
        for each in gradients
        if each.phase is Phase.FRESH and each.sure and each.scaled is scaled and not each.unscaled
    ]
    return fitting[0].backward if fitting and len(fitting) == len(gradients) else None


def _last(trace: Trace, call: ScalerCall) -> ScalerCall:
    """The call that has brought the scaler to the stage in which a later one finds it."""
    return next(
        earlier
        for earlier in reversed(trace.of(ScalerCall))
        if earlier.index < call.index
        and earlier.optimizer == call.optimizer
        and earlier.address == call.address
    )
