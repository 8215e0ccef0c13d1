"""Graphs that are kept round after round and of no use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward, Differentiation
from torchlint.interpreter.events.memory import Accumulate, Keep, StepTotal
from torchlint.interpreter.events.modes import Pass
from torchlint.interpreter.questions import graph
from torchlint.interpreter.values import Certainty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Chain, Event, Trace
    from torchlint.interpreter.values import Node, Round


def kept(trace: Trace) -> Iterator[tuple[Keep, Chain, bool]]:
    """Tensors stored with graphs that no backward comes back for, round after round.

    The last says whether nobody out of sight can come back for them.
    """
    events = trace.of(Keep)
    held = {each.spot for each in events if _is_held(trace, each)}
    for keep in events:
        if keep.spot in held or _goes_on(trace, keep.tensor.node, keep.tensor.node):
            continue
        chain = _needless(trace, keep, keep.tensor.node, keep.node, keep.container)
        if chain is not None:
            yield keep, chain, _is_lost(trace, keep.tensor.node, keep.node)


def _goes_on(trace: Trace, node: Node | None, stored: Node | None) -> bool:
    """Whether a graph holds what was stored before: each round needs those before it."""
    return (
        node is not None
        and stored is not None
        and any(
            (each.op, each.spot) == (stored.op, stored.spot) and each.rounds != stored.rounds
            for each in trace.reach(node)
        )
    )


def totals(trace: Trace, *, joined: bool = False) -> Iterator[tuple[Accumulate, Chain, bool]]:
    """Totals of tensors with graphs that no backward comes back for, as in :func:`kept`.

    Either sums, or what is ``joined`` part by part. Left out are those that what is added was
    computed of, in whatever round, as by a solver.
    """
    events = trace.of(Accumulate)
    solved = {each.spot for each in events if _goes_on(trace, each.added.node, each.total)}
    for accumulate in events:
        if accumulate.spot in solved or accumulate.joined is not joined:
            continue
        if joined and not _is_of_a_training(trace, accumulate.added.node):
            # What is joined elsewhere is there to be looked at, as a rule in a few rounds.
            continue
        chain = _needless(
            trace, accumulate, accumulate.added.node, accumulate.total, accumulate.address
        )
        if chain is not None:
            yield accumulate, chain, _is_lost(trace, accumulate.added.node, accumulate.total)


def totals_of_steps(trace: Trace) -> Iterator[StepTotal]:
    """Totals of what a trainer has each step compute, which it walks back by itself."""
    returned = set(trace.returned)
    for total in trace.of(StepTotal):
        if any(
            part.certainty is Certainty.SURE or returned & trace.reach(part) for part in total.parts
        ):
            yield total


def _is_of_a_training(trace: Trace, node: Node | None) -> bool:
    """Whether a backward walks through something that a tensor was computed of."""
    made = {each for each in trace.reach(node) if each.parents} if node is not None else set()
    roots = (backward.node for backward in trace.of(Backward) if backward.node is not None)
    return any(not made.isdisjoint(trace.reach(root)) for root in roots)


def _is_lost(trace: Trace, node: Node | None, stored: Node) -> bool:
    """Whether nobody can walk back through what is stored: it is freed, or goes with the call.

    What a method stores may hang on its object.
    """
    if trace.program or (node is not None and graph.freed_by(trace, node, unless=stored)):
        return True
    handed_out = trace.operations(trace.returned)
    return not trace.method and (stored.op, stored.spot) not in handed_out


def _needless(
    trace: Trace, event: Keep | Accumulate, node: Node | None, stored: Node, holder: int
) -> Chain | None:
    """What shows that a stored graph is of no use; None where nothing does.

    Either a backward has freed it without having come through what is stored, or nothing
    unseen gets at what is stored, and no backward comes through it.
    """
    if node is None or _comes_through(trace, event, stored):
        return None
    built = ((node.spot, "the graph is built here"),) if node.spot is not None else ()
    freed = graph.freed_by(trace, node, unless=stored, beside=event.spot)
    earlier = freed is not None and freed.index < event.index
    if earlier and freed not in event.walked and node.op == "join":
        # Where it was walked back, it may have lost its graph before it was stored.
        return None
    if freed is not None:
        used = (freed.spot, "the only backward that needs the graph is here")
        return (*built, used) if graph.in_graph(trace, node) else None
    if holder in trace.escaped:
        return None
    if node.certainty is not Certainty.SURE:
        walked = graph.walked_beside(trace, node, event)
        beside = "the backward of the round is here, and leaves that graph as it is"
        return (*built, (walked.spot, beside)) if walked is not None else None
    if (trace.method or trace.forward) and not trace.of(Backward):
        # A part of a model trains nothing by itself, and what it collects goes with the call.
        return None
    if not any(
        _is_applied_again(trace, event, node, at) for at in _kept_over(trace, event, stored)
    ):
        return None
    if _is_of_the_round(trace, event, node):
        # What is told to require grad, and trains nothing here, is made to be walked back to.
        return None
    return built


def _is_of_the_round(trace: Trace, event: Event, node: Node) -> bool:
    """Whether a graph leads to nothing but what its own round has told to require grad."""
    depth = len(event.rounds)
    ends = [each for each in trace.reach(node) if not each.parents]
    return all(end.op == "leaf" and end.rounds[:depth] == event.rounds for end in ends)


def _is_held(trace: Trace, keep: Keep) -> bool:
    """Whether something else has the graphs of all rounds, which a backward after the loop needs.

    Until then they cannot be freed, and what is stored is stored in another container by the next.
    """
    made, node = keep.made, keep.tensor.node
    if made is None or node is None:
        return False
    depth = len(keep.rounds)
    here = {
        each for each in trace.reach(node) if each.parents and each.rounds[:depth] == keep.rounds
    }
    return any(
        backward.index > keep.index
        and backward.rounds == made[: len(backward.rounds)]
        and backward.node is not None
        and not here.isdisjoint(trace.reach(backward.node))
        for backward in trace.of(Backward)
    )


def _kept_over(trace: Trace, event: Event, stored: Node) -> Iterator[int]:
    """The loops, by how many are around them, over whose rounds something is kept.

    A loop over the names of what is added up has one around it, where it goes on round after round.
    """
    innermost = len(event.rounds) - 1
    yield innermost
    same = [
        each for each in trace.reach(stored) if (each.op, each.spot) == (stored.op, stored.spot)
    ]
    for at in range(innermost):
        if any(_is_other_round(each.rounds, event.rounds[:at], event.rounds[at]) for each in same):
            yield at


def _is_applied_again(trace: Trace, event: Event, node: Node, at: int) -> bool:
    """Whether a graph is of a model that each round applies anew, to what the last did not give.

    A loop over models or layers, over weights or parts of one tensor ends with them, and what is
    computed of what the round before gave keeps the graphs of all rounds by itself. A part of the
    object whose method runs trains nothing by itself.
    """
    around, now = event.rounds[:at], event.rounds[at]
    reached = trace.reach(node)
    if any(_is_other_round(each.rounds, around, now) for each in reached):
        return False
    passes = [one for one in trace.of(Pass) if one.rounds[: len(around)] == around]
    here = [one for one in passes if now in one.rounds and not reached.isdisjoint(one.nodes)]
    chosen = {one.model for one in here if any(_is_instead(one, other) for other in here)}
    again = {one.model for one in passes if _is_other_round(one.rounds, around, now)}
    return not {one.model for one in here} & again <= trace.lasting | chosen


def _is_other_round(rounds: tuple[Round, ...], around: tuple[Round, ...], now: Round) -> bool:
    """Whether something happened in a round of the same loop that is not this one."""
    at = len(around)
    return (
        len(rounds) > at
        and rounds[:at] == around
        and rounds[at].loop == now.loop
        and rounds[at] != now
    )


def _is_instead(one: Pass, other: Pass) -> bool:
    """Whether the same call applies one of two models: there are several to choose from."""
    return (one.spot, one.rounds) == (other.spot, other.rounds) and one.model != other.model


def _comes_through(trace: Trace, event: Event, stored: Node) -> bool:
    """Whether some walk back comes through what a statement stores, in whatever round.

    What a forward returns is its caller's, who may walk it back, and so is what any function
    returns that walks nothing back itself and applies no model in the loop, or only its own layers.
    """
    walked = [*trace.results, *(backward.node for backward in trace.of(Backward))]
    depth = len(event.rounds)
    applied = any(each.rounds[:depth] == event.rounds for each in trace.of(Pass))
    if not walked and (trace.method or not applied):
        walked.extend(trace.returned)
    known = [root for root in walked if root is not None]
    if len(known) < len(walked):
        return True
    asked = [walk.node for walk in trace.of(Differentiation) if walk.node is not None]
    return (stored.op, stored.spot) in trace.operations([*known, *asked])
