"""What was there to find a mistake, and runs along with the training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.debugging import History, Printed, Profiled
from torchlint.interpreter.events.training import Step
from torchlint.interpreter.values import Const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def profiled_trainings(trace: Trace) -> Iterator[tuple[Profiled, Step]]:
    """Profilers that record every step of a loop; a few steps, by a number, are a measurement."""
    for profiled in trace.of(Profiled):
        for step in trace.of(Step):
            counted = step.rounds and isinstance(trace.bounds.get(step.rounds[-1].loop), Const)
            if profiled.start <= step.index < profiled.index and step.rounds and not counted:
                yield profiled, step
                break


def recorded_trainings(trace: Trace) -> Iterator[tuple[History, Step]]:
    """Histories of the memory that are begun, and never ended, while something is trained."""
    histories = trace.of(History)
    if all(history.begins for history in histories):
        for history in histories[:1]:
            for step in trace.of(Step):
                if step.index > history.index and step.rounds:
                    yield history, step
                    break


def printed_steps(trace: Trace) -> Iterator[tuple[Printed, Step]]:
    """Tensors that are printed in the very rounds that make a step."""
    seen = set()
    for printed in trace.of(Printed):
        for step in trace.of(Step):
            if printed.rounds == step.rounds and printed.spot not in seen:
                seen.add(printed.spot)
                yield printed, step
