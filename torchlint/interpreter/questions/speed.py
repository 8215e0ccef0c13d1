"""What could be had for less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events import data
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.modes import Pass, Switch
from torchlint.interpreter.events.speed import (
    ArrayTouched,
    Clock,
    Created,
    Descended,
    Elapsed,
    Fetched,
    Flushed,
    Gathered,
    Joined,
    Moved,
    Rebuilt,
    Regrown,
    Returned,
    RowLoop,
    SetUp,
    Synced,
    Waited,
    Worked,
)
from torchlint.interpreter.events.training import Built, Step
from torchlint.interpreter.questions import some_rounds
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Event, Trace
    from torchlint.interpreter.values import Spot


def moved_at_once(trace: Trace) -> Iterator[tuple[Moved, Created]]:
    """Tensors that are made on the CPU for another device, and the making."""
    created = {event.spot: event for event in trace.of(Created)}
    for moved in trace.of(Moved):
        made = created.get(moved.source)
        if made is not None:
            yield moved, made


def is_once_in_a_while(trace: Trace, event: Moved) -> bool:
    """Whether something happens at the top level of a program, in no loop, or builds an object.

    A function that makes a dummy, by its name, is called once as well, and so is one that sets up
    a model; and what stands beside a loop that trains, evaluates or goes along a loader, is done
    once for all of its rounds, unless that loop is a part of what makes a step. A function that
    evaluates may be called beside a step.
    """
    scope = event.spot.region.scope
    dummy = "dummy" in scope.rpartition(".")[2]
    if event.built or (not event.rounds and (not scope or dummy)):
        return True
    beside = (one for one in trace.of(SetUp) if one.spot.region is event.spot.region)
    if not event.rounds and any(not one.rounds for one in beside):
        return True
    within_step = bool(event.rounds and _step_beside(trace, event))
    if within_step and some_rounds.is_in_loop(event.spot):
        return False
    depth = len(event.rounds)
    loops = _switched(trace) if within_step else (*_steps(trace), *_switched(trace))
    longer = [one for one in loops if len(one.rounds) > depth]
    return any(
        one.spot.region is event.spot.region and one.rounds[:depth] == event.rounds
        for one in (*longer, *trace.of(data.Pass))
    )


def _switched(trace: Trace) -> Iterator[Pass]:
    """Where models are applied that the same function has switched: it goes along its batches."""
    switches = {(each.module, each.spot.region) for each in trace.of(Switch)}
    return (one for one in trace.of(Pass) if (one.model, one.spot.region) in switches)


def timed_without_wait(trace: Trace) -> Iterator[tuple[Elapsed, Clock, Worked, Clock]]:
    """Times that end while the device may be at work, with the work and the two reads.

    Times of whole rounds are as long as the work where anything in a round waits for that of the
    round before: one begins where the other has ended, or all of them where the loop begins, or a
    training step begins with the wait.
    """
    clocks = {clock.address: clock for clock in trace.of(Clock)}
    whole: set[Spot] = set()
    found = []
    for elapsed in trace.of(Elapsed):
        start, stop = clocks.get(elapsed.start), clocks.get(elapsed.stop)
        if start is None or stop is None:
            continue
        work = [one for one in trace.of(Worked) if start.index < one.index < stop.index]
        waits = [one for one in trace.of(Waited) if start.index < one.index < stop.index]
        begins = waits and work and waits[0].index < work[0].index
        if (
            (waits and _is_of_a_round(start, stop))
            or _is_of_all_rounds(start, stop, waits)
            or (work and _is_of_a_loop(work[-1], stop, waits))
            or (begins and _is_of_a_step(trace, start, stop))
        ):
            whole.add(elapsed.spot)
        done = any(_is_done(work, wait) for wait in waits) if work else True
        if not done and not _waits_elsewhere(start, stop, waits):
            found.append((elapsed, start, work[-1], stop))
    return (times for times in found if times[0].spot not in whole)


def _is_done(work: list[Worked], wait: Waited) -> bool:
    """Whether nothing is left to do after a wait, or nobody knows how much of it.

    What is not seen into may have waited for all but the last of a model's layers.
    """
    return (work[-1] if wait.sure else work[0]).index < wait.index


_WAITS = Pattern(r"\bsynchronize\(")


def _waits_elsewhere(start: Clock, stop: Clock, waits: list[Waited]) -> bool:
    """Whether a wait stands between two reads, which this run does not come by as others do."""
    region = stop.spot.region
    if start.spot.region is not region:
        return False
    first, last = (region.place(read.spot.node).line for read in (start, stop))
    met = {region.place(one.spot.node).line for one in waits if one.spot.region is region}
    return any(
        line not in met and _WAITS.search(region.outline.lines(line, line))
        for line in range(first, last + 1)
    )


def _is_of_a_round(start: Clock, stop: Clock) -> bool:
    """Whether a clock was read in one round of a loop, and is read again in the next."""
    return any(
        one.loop == other.loop and one.number < other.number
        for one, other in zip(start.rounds, stop.rounds, strict=False)
    )


def _is_of_a_step(trace: Trace, start: Clock, stop: Clock) -> bool:
    """Whether a time is of a training step, and nothing waits from there to the next one's.

    What waits in every so many rounds only, to be told, leaves the others as they are.
    """
    if not any(start.index < one.index < stop.index for one in trace.of(Backward)):
        return False
    again = (one for one in trace.of(Clock) if one.spot == start.spot and one.index > stop.index)
    begins = next(again, None)
    if begins is None or not _is_of_a_round(start, begins):
        return False
    between = (one for one in trace.of(Waited) if stop.index < one.index < begins.index)
    return all(
        any(some_rounds.counts(test, wait) for test in some_rounds.decided(wait, stop))
        for wait in between
    )


def _is_of_all_rounds(start: Clock, stop: Clock, waits: list[Waited]) -> bool:
    """Whether a clock that was read before a loop is read in a later round: the time so far."""
    within = stop.rounds[len(start.rounds) :][:1]
    return any(now.number > 1 and now.loop in _loops(wait) for now in within for wait in waits)


def _is_of_a_loop(last: Worked, stop: Clock, waits: list[Waited]) -> bool:
    """Whether each round of a loop waits for the one before: only the work of its last is left."""
    depth = len(stop.rounds)
    return any(
        now.loop == one.loop and one.number > 1
        for wait in waits
        if not any(some_rounds.counts(test, wait) for test in some_rounds.decided(wait, last))
        for now, one in zip(last.rounds[depth:][:1], wait.rounds[depth:][:1], strict=False)
    )


def _loops(event: Event) -> set[int]:
    return {around.loop for around in event.rounds}


def round_trips(trace: Trace) -> Iterator[tuple[Returned, Event | None]]:
    """What comes back from NumPy while a model is applied, or in a step, which is given too.

    What was brought to the CPU before a loop that trains has nothing in it to wait for.
    """
    touched = {event.left for event in trace.of(ArrayTouched)}
    fetched = {(event.spot, around) for event in trace.of(Fetched) for around in event.rounds}
    steps = list(_steps(trace))
    for back in trace.of(Returned):
        if back.left in touched:
            continue
        if back.applied:
            yield back, None
            continue
        for step in steps:
            around = step.rounds[-1] if step.rounds else None
            inside = around in back.rounds and (back.left, around) in fetched
            if inside if around is not None else not trace.program:
                yield back, step
                break


def row_loops(trace: Trace) -> Iterator[RowLoop]:
    """Loops that compute row by row, and whose results are put together afterwards."""
    gathered = {event.held for event in trace.of(Gathered)}
    return (loop for loop in trace.of(RowLoop) if gathered.issuperset(loop.lists))


def flushed_each_step(trace: Trace) -> Iterator[tuple[Flushed, Event]]:
    """Flushes in the very rounds that make a step, and that step; those of timers set aside.

    Rounds that each build what they train try something out, one after the other. Where nothing is
    trained, as no optimizer steps, gradients are compared or measured.
    """
    if not trace.optimizers and not trace.of(Step):
        return
    timed = {around for clock in trace.of(Clock) for around in clock.rounds}
    for flushed in trace.of(Flushed):
        if flushed.rounds[-1] in timed and flushed.name.endswith("synchronize"):
            continue
        step = _step_beside(trace, flushed)
        if step is not None and not _tries(trace, flushed):
            yield flushed, step


def _tries(trace: Trace, flushed: Flushed) -> bool:
    """Whether the rounds of a flush each build what they train: an optimizer, or all models."""
    inside = flushed.rounds[-1]
    if any(inside in built.rounds for built in trace.of(Built)):
        return True
    applied = [one.model for one in trace.of(Pass) if inside in one.rounds]
    stepped = any(inside in step.rounds for step in trace.of(Step))
    return not stepped and bool(applied) and min(applied) > flushed.since


def needed_each_step(trace: Trace) -> Iterator[tuple[Synced, Event]]:
    """What the program needs of a device in the very rounds that make a step, and that step."""
    for synced in trace.of(Synced):
        step = _step_beside(trace, synced)
        if step is not None:
            yield synced, step


def rebuilt_each_step(trace: Trace) -> Iterator[tuple[Rebuilt, Event]]:
    """What is made anew, and left as it is, in the very rounds that make a step, and that step."""
    for rebuilt in trace.of(Rebuilt):
        step = _step_beside(trace, rebuilt) if rebuilt.changed is False else None
        if step is not None:
            yield rebuilt, step


def _step_beside(trace: Trace, event: Event) -> Event | None:
    """What makes a training step in the innermost round that an event happens in."""
    for step in _steps(trace):
        if step.rounds and step.rounds[-1] == event.rounds[-1]:
            return step
    return None


def _steps(trace: Trace) -> Iterator[Event]:
    """What makes training steps: what steps and is no optimizer for certain may be a game."""
    yield from trace.of(Backward)
    yield from (step for step in trace.of(Step) if step.address is not None)


def joined_to_itself(trace: Trace) -> Iterator[tuple[Regrown, Joined]]:
    """Names that are given in every round what they held and a little more."""
    joined = {event.spot: event for event in trace.of(Joined)}
    for regrown in trace.of(Regrown):
        by = joined.get(regrown.call)
        if by is not None:
            yield regrown, by


def stepped_by_hand(trace: Trace) -> Iterator[tuple[Descended, Backward]]:
    """Loops that move parameters along the gradients of a backward that no optimizer uses."""
    for descended in trace.of(Descended):
        for backward in trace.of(Backward):
            around = len(backward.rounds)
            if (
                backward.index < descended.index
                and backward.rounds == descended.rounds[:around]
                and around < len(descended.rounds)
                and not any(step.rounds[:around] == backward.rounds for step in trace.of(Step))
            ):
                yield descended, backward
                break
