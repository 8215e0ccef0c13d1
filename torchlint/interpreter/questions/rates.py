"""Learning rates that optimizers are built with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.training import Built, SchedulerBuilt, Step
from torchlint.interpreter.values import Const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_ADAPTIVE = frozenset(
    f"torch.optim.{name}"
    for name in ("Adam", "AdamW", "Adamax", "NAdam", "RAdam", "SparseAdam", "RMSprop")
)
"""Optimizers whose updates are about as large as the rate, whatever the gradients are."""

LARGE = 0.1
HUGE = 1.0


def impossible(trace: Trace) -> Iterator[tuple[Built, float]]:
    """Rates below zero; zero, where nothing changes it; above one, where updates are that large."""
    for built, rate in _rates(trace):
        settled = not _is_set_later(trace, built.address)
        if (
            rate < 0
            or (rate == 0 and settled and _steps(trace, built.address))
            or (rate > HUGE and settled and _is_adaptive(built))
        ):
            yield built, rate


def large(trace: Trace) -> Iterator[tuple[Built, float, bool]]:
    """Rates that are rarely meant, and whether the optimizer is one of Adam's kind."""
    for built, rate in _rates(trace):
        adaptive = _is_adaptive(built)
        settled = bool(built.optimizer.held) and not _is_set_later(trace, built.address)
        if settled and (LARGE < rate <= HUGE if adaptive else rate > HUGE):
            yield built, rate, adaptive


def _rates(trace: Trace) -> Iterator[tuple[Built, float]]:
    for built in trace.of(Built):
        match built.optimizer.options.get("lr"):
            case Const(value=bool()):
                continue
            case Const(value=int() | float() as rate):
                yield built, float(rate)


def _is_adaptive(built: Built) -> bool:
    """Whether it moves parameters of modules by about as much as its rate."""
    return built.optimizer.kind in _ADAPTIVE and bool(built.optimizer.held)


def _is_set_later(trace: Trace, address: int) -> bool:
    """Whether something sets the rate, or may do so."""
    optimizer = trace.optimizers[address]
    unseen = optimizer.altered or optimizer.escaped or address in trace.escaped | trace.lasting
    return unseen or any(built.optimizer == address for built in trace.of(SchedulerBuilt))


def _steps(trace: Trace, address: int) -> bool:
    return any(step.address == address and step.rounds for step in trace.of(Step))
