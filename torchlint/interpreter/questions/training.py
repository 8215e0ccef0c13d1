"""The optimisation step: gradients that are not cleared, or never used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward, GradientRead
from torchlint.interpreter.events.training import Clear, Step
from torchlint.interpreter.optimisation import Phase
from torchlint.interpreter.questions import targets
from torchlint.project import excluding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.optimisation import Gradients, Optimizer
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot


def steps_of(trace: Trace, address: int) -> list[Step]:
    """The steps that an optimizer takes, or may take unseen."""
    return [step for step in trace.of(Step) if step.address in {address, None}]


def stale_steps(trace: Trace) -> Iterator[tuple[Step, Gradients]]:
    """Steps whose gradients still hold those of an earlier step, on every path that steps.

    What one arm of a test leaves is told of where that arm comes again, and not in the other.
    """
    for step in trace.of(Step):
        if any(gradients.may_be_clear for gradients in step.gradients):
            continue
        for gradients in step.gradients:
            if gradients.phase is not Phase.STALE or not gradients.sure:
                continue
            if gradients.step is None or not excluding.are_apart(gradients.step, step.spot):
                yield step, gradients


def never_stepped(trace: Trace) -> Iterator[tuple[Optimizer, Spot, Spot | None]]:
    """Optimizers that never step though gradients reach them round after round.

    Gives the optimizer, the backward, and where its gradients are cleared unused. An optimizer
    that the caller has too counts only if its gradients are cleared before it can step. Who reads
    them before they are cleared wants them for something else. Where another optimizer steps with
    gradients, they may all be its own unless the parameters of both are known, and one that nothing
    clears is not in use.
    """
    steps = trace.of(Step)
    used = {one.backward for step in steps for one in step.gradients}
    vaguely = {one.backward for step in steps if _is_vague(step) for one in step.gradients}
    for address, optimizer in trace.optimizers.items():
        if optimizer.escaped or address in trace.escaped or steps_of(trace, address):
            continue
        if _another_steps(trace, optimizer) or optimizer.held & targets.taught_by(trace):
            continue
        shared = vaguely if _is_whole(optimizer) else used
        wasted = _wasted(trace, address)
        if wasted is not None:
            if wasted[0] not in shared:
                yield optimizer, *wasted
        elif optimizer.local:
            for gradients in optimizer.gradients:
                backward = gradients.backward if gradients.sure else None
                if backward is None or not _repeated(trace, backward):
                    continue
                if backward not in used and not _is_read(trace, backward):
                    yield optimizer, backward, None


def _is_vague(step: Step) -> bool:
    """Whether an optimizer steps that may have parameters which are not known."""
    return step.optimizer is None or not _is_whole(step.optimizer)


def _is_whole(optimizer: Optimizer) -> bool:
    """Whether all that an optimizer holds is known."""
    return optimizer.parameters is not None and optimizer.parameters.whole


def _another_steps(trace: Trace, optimizer: Optimizer) -> bool:
    """Whether another optimizer that has some of the same modules uses the gradients.

    What is only called an optimizer may be one that steps under another name.
    """
    return any(
        step.optimizer is not None
        and (
            not step.optimizer.held.isdisjoint(optimizer.held)
            or (optimizer.hinted and step.optimizer.hinted)
        )
        for step in trace.of(Step)
    )


def _wasted(trace: Trace, address: int) -> tuple[Spot, Spot] | None:
    for clear in trace.of(Clear):
        if clear.address == address and clear.rounds:
            for gradients in clear.gradients:
                fresh = gradients.phase is Phase.FRESH and gradients.sure
                backward = gradients.backward
                if not fresh or backward is None or _is_tried(trace, backward, clear):
                    continue
                if not _is_read(trace, backward, clear):
                    return backward, clear.spot
    return None


def _is_read(trace: Trace, spot: Spot, until: Clear | None = None) -> bool:
    """Whether gradients are read somewhere after a backward, and before they are cleared."""
    end = until.index if until is not None else len(trace.events)
    begins = [b.index for b in trace.of(Backward) if b.spot == spot and b.index < end]
    reads = (read.index for read in trace.of(GradientRead))
    return bool(begins) and any(begins[-1] < read < end for read in reads)


def _is_tried(trace: Trace, spot: Spot, clear: Clear) -> bool:
    """Whether what is computed and cleared is there to see that it can be computed.

    The loops around the two go round again only where something has failed.
    """
    around = {one.loop for one in clear.rounds}
    both = {
        one.loop
        for backward in trace.of(Backward)
        if backward.spot == spot
        for one in backward.rounds
        if one.loop in around
    }
    return bool(both) and both <= trace.attempts


def _repeated(trace: Trace, spot: Spot) -> bool:
    return any(
        backward.spot == spot and any(one.loop not in trace.attempts for one in backward.rounds)
        for backward in trace.of(Backward)
    )
