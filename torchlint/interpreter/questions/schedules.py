"""Schedulers of the learning rate: for which optimizer, and how often they step."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.amounts import Of
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.training import SchedulerBuilt, SchedulerStep, Step
from torchlint.interpreter.questions.training import steps_of
from torchlint.interpreter.values import UNKNOWN, Const
from torchlint.project import around, bests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Round, Value

_ON_METRICS = "ReduceLROnPlateau"
_PER_STEP = frozenset({"OneCycleLR", "CyclicLR"})
_LONG_CYCLE = 500
"""Half a cycle that is meant in steps; the default is 2000."""
_SLOWLY = 0.97
"""What is left of a rate by a factor of an epoch; those of a batch are nearer to one."""


def without_metric(trace: Trace) -> Iterator[SchedulerStep]:
    """Steps that need a metric and get nothing; which of several schedulers it is may be asked.

    So it is where the scheduler gets one elsewhere: it would not come that far.
    """
    told = {step.address for step in trace.of(SchedulerStep) if not step.bare}
    for step in trace.of(SchedulerStep):
        if step.kind == _ON_METRICS and step.bare and not step.one_of and step.address not in told:
            yield step


def at_the_wrong_end(trace: Trace) -> Iterator[tuple[SchedulerStep, SchedulerBuilt, str, str]]:
    """Steps by a metric of which the other end is kept as the best; gives that, and its mode.

    Without a ``mode`` the metric is to fall.
    """
    for built in trace.of(SchedulerBuilt):
        mode = built.options.get("mode", Const("min"))
        if built.kind != _ON_METRICS or not isinstance(mode, Const) or _takes_more(built.spot.node):
            continue
        for step in trace.of(SchedulerStep):
            metric = _metric_of(step.spot.node)
            if step.address == built.address and not step.one_of and metric is not None:
                end = bests.end_kept(step.spot.region, metric)
                if (end, mode.value) in {("greatest", "min"), ("least", "max")}:
                    yield step, built, end, "max" if end == "greatest" else "min"


def _takes_more(call: ast.AST) -> bool:
    """Whether a call is handed a dictionary of arguments."""
    return isinstance(call, ast.Call) and any(each.arg is None for each in call.keywords)


def _metric_of(step: ast.AST) -> ast.expr | None:
    """The metric that a scheduler is told, if that is something with a name."""
    match step:
        case ast.Call(args=[ast.Name() | ast.Attribute() | ast.Subscript() as metric]):
            return metric
    return None


def too_early(trace: Trace) -> Iterator[tuple[SchedulerStep, Step]]:
    """Steps before the first one of the optimizer, which comes later in the same loop.

    A step in some rounds only need not be taken in the first, but where the optimizer's goes with
    it.
    """
    for scheduled in trace.of(SchedulerStep):
        if scheduled.stepped is not False or not scheduled.bare or not scheduled.rounds:
            continue
        if scheduled.kind == _ON_METRICS:
            continue
        for step in steps_of(trace, scheduled.optimizer):
            within = step.rounds[: len(scheduled.rounds)] == scheduled.rounds
            if within and step.index > scheduled.index:
                if not scheduled.sometimes or _goes_with(step, scheduled):
                    yield scheduled, step
                break


def _goes_with(step: Step, scheduled: SchedulerStep) -> bool:
    """Whether a step is taken under the innermost test that decides on the schedule's.

    It may be written again for the step, if what it asks is nothing that is set in between.
    """
    region = scheduled.spot.region
    tests = around.tests(region, scheduled.spot.node)[-1:]
    if step.spot.region is not region or not tests:
        return False
    (test, holds), others = tests[0], around.tests(region, step.spot.node)
    if (test, holds) in others:
        return True
    same = any(ast.dump(test) == ast.dump(other) and holds is held for other, held in others)
    return same and around.is_settled(region, test)


def of_another_optimizer(trace: Trace) -> Iterator[tuple[SchedulerBuilt, SchedulerStep, Step]]:
    """Schedulers that step for an optimizer that never does, and a step of the one that does."""
    for built in trace.of(SchedulerBuilt):
        scheduled = [step for step in trace.of(SchedulerStep) if step.address == built.address]
        optimizer = trace.optimizers.get(built.optimizer)
        if not scheduled or optimizer is None or not _is_ours(trace, built.optimizer):
            continue
        others = [
            step
            for step in trace.of(Step)
            if step.rounds[: len(scheduled[-1].rounds)] == scheduled[-1].rounds
        ]
        if others and not steps_of(trace, built.optimizer):
            yield built, scheduled[-1], others[-1]


def never_stepped(trace: Trace) -> Iterator[tuple[SchedulerBuilt, Step | SchedulerStep]]:
    """Schedulers that nobody has and nobody steps, while their optimizer steps in a loop.

    Of those that one call builds in several rounds the last may be all that is wanted, as it is
    where one is given another's name. Gives a step of another one of the optimizer, if there is
    any, and else the optimizer's.
    """
    if any(step.address is None for step in trace.of(Step)):
        return
    stepped = {step.address for step in trace.of(SchedulerStep)}
    used = {built.spot for built in trace.of(SchedulerBuilt) if built.address in stepped}
    replaced = {built.replaced for built in trace.of(SchedulerBuilt)}
    for built in trace.of(SchedulerBuilt):
        escaped = built.address in trace.escaped or built.address in trace.lasting
        if escaped or built.spot in used or built.address in replaced:
            continue
        steps = [
            step
            for step in trace.of(Step)
            if step.address == built.optimizer and step.rounds and step.index > built.index
        ]
        others = [step for step in trace.of(SchedulerStep) if step.optimizer == built.optimizer]
        if steps:
            yield built, others[-1] if others else steps[-1]


def once_an_epoch(trace: Trace) -> Iterator[tuple[SchedulerBuilt, SchedulerStep, Step]]:
    """Schedules that are laid out in steps, and go on by one each time that many are taken."""
    for built, scheduled in _in_loops(trace):
        counted = built.kind in _PER_STEP and _counts_steps(trace, built, scheduled)
        batches = _counts_batches(built)
        for step in steps_of(trace, built.optimizer) if counted or batches is not None else ():
            loops, outer = _loops(step.rounds), _loops(scheduled.rounds)
            if len(loops) > len(outer) and loops[: len(outer)] == outer:
                within = (trace.through.get(loop, frozenset()) for loop in loops[len(outer) :])
                if counted or any(batches in each for each in within):
                    yield built, scheduled, step
                    break


def told_parts_of_epochs(trace: Trace) -> Iterator[tuple[SchedulerBuilt, SchedulerStep]]:
    """Schedules that are laid out in steps, and told how many epochs have passed."""
    for built, scheduled in _in_loops(trace):
        per_epoch = built.options.get("steps_per_epoch", Const(1))
        if per_epoch != Const(1) and _tells_part(scheduled.spot.node):
            yield built, scheduled


def _tells_part(step: ast.AST) -> bool:
    """Whether a schedule is told a number with a quotient added to it."""
    match step:
        case ast.Call(args=[ast.BinOp(op=ast.Add(), left=whole, right=part)]):
            is_part = isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div)
            return is_part and isinstance(whole, (ast.Name, ast.Attribute))
    return False


def every_step(trace: Trace) -> Iterator[tuple[SchedulerBuilt, SchedulerStep, Step]]:
    """Schedules that are laid out in epochs, and go on with every step within these."""
    for built, scheduled in _in_loops(trace):
        loops = _loops(scheduled.rounds)
        lengths = [trace.bounds.get(loop) for loop in loops[:-1]]
        epochs = [length for length in lengths if length is not None]
        if not epochs or not _counts_epochs(built, epochs):
            continue
        for step in steps_of(trace, built.optimizer):
            if _loops(step.rounds) == loops:
                yield built, scheduled, step
                break


def fading(trace: Trace) -> Iterator[tuple[SchedulerBuilt, SchedulerStep, float]]:
    """Schedules that leave a part of the rate each time, and go on with every batch of all epochs.

    Gives the part. How many batches there are is not known, where they come of no few numbers.
    """
    for built, scheduled in _in_loops(trace):
        factor = built.options.get("gamma")
        if built.kind != "ExponentialLR" or not isinstance(factor, Const):
            continue
        left, loops = factor.value, _loops(scheduled.rounds)
        if not isinstance(left, float) or not 0 < left <= _SLOWLY or loops[-1] in trace.bounds:
            continue
        if len(loops) < len(_loops(built.rounds)) + 2:
            continue
        if any(_loops(step.rounds) == loops for step in steps_of(trace, built.optimizer)):
            yield built, scheduled, left


def _in_loops(trace: Trace) -> Iterator[tuple[SchedulerBuilt, SchedulerStep]]:
    for built in trace.of(SchedulerBuilt):
        for scheduled in trace.of(SchedulerStep):
            if scheduled.address == built.address and scheduled.rounds:
                yield built, scheduled
                break


def _counts_batches(built: SchedulerBuilt) -> int | None:
    """The address of what the length of a schedule is the length of, such as a loader."""
    length = built.options.get("T_max") or built.options.get("total_iters")
    amount = length.amount if isinstance(length, Number) else None
    return amount.address if amount is not None and amount.of is Of.LENGTH else None


def _counts_steps(trace: Trace, built: SchedulerBuilt, scheduled: SchedulerStep) -> bool:
    """Whether the length of a schedule is that of all steps, and not of the loop it steps in."""
    per_epoch = built.options.get("steps_per_epoch")
    if per_epoch is not None:
        return per_epoch != Const(1)
    if built.kind == "CyclicLR":
        match built.options.get("step_size_up"):
            case None:
                return True
            case Const(value=int() as half):
                return half >= _LONG_CYCLE
        return False
    match built.options.get("total_steps"), trace.bounds.get(scheduled.rounds[-1].loop):
        case Const(value=int() as total), Const(value=int() as rounds):
            return total >= 2 * rounds
    return False


def _counts_epochs(built: SchedulerBuilt, epochs: list[Value]) -> bool:
    """Whether the length of a schedule is the number of epochs, or less."""
    length = built.options.get("T_max") or built.options.get("total_iters")
    if length is not None:
        same = {each.dim for each in epochs if isinstance(each, Number)} - {None}
        return built.length in same or (_is_told(length) and length in epochs)
    span = built.options.get("step_size")
    most = [each.value for each in epochs if isinstance(each, Const)]
    if built.kind == "StepLR" and isinstance(span, Const):
        return any(isinstance(each, int) and 2 * span.value <= each for each in most)  # type: ignore[operator]
    return False


def _is_told(length: Value) -> bool:
    """Whether it is known which number a length is: any number equals any other, as a value."""
    if isinstance(length, Number):
        return length.dim is not None or length.amount is not None
    return length is not UNKNOWN


def _is_ours(trace: Trace, address: int) -> bool:
    optimizer = trace.optimizers[address]
    return optimizer.local and not optimizer.escaped and address not in trace.escaped


def _loops(rounds: tuple[Round, ...]) -> tuple[int, ...]:
    return tuple(each.loop for each in rounds)
