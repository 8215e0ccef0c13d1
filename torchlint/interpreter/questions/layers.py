"""What becomes of layers and their parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import facts
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.layers import (
    Activated,
    ActivatedTwice,
    Computed,
    Derived,
    Filled,
    Forwarded,
    HalfTied,
    Kept,
    Late,
    LetGo,
    Refused,
    Registered,
    Settled,
    ToBeTrained,
    Uniform,
)
from torchlint.interpreter.events.training import Built
from torchlint.interpreter.graphs import back
from torchlint.interpreter.questions import graph
from torchlint.interpreter.values import Const
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node
    from torchlint.project.classes import Family

_DERIVES = Pattern(r"\bgrad\(")
"""Gradients that are asked for by `torch.autograd.grad`: `no_grad()` is none of them."""

_FAR = 8
_ALIKE = frozenset(
    (
        "relu relu6 leaky_relu elu selu celu gelu silu mish tanh sigmoid softplus hardtanh "
        "hardswish hardsigmoid logsigmoid clamp sin flatten view reshape batch_norm max_pool1d "
        "max_pool2d avg_pool1d avg_pool2d adaptive_avg_pool1d adaptive_avg_pool2d squeeze"
    ).split()
)
"""Operations that do the same to each unit."""


def forwarded(trace: Trace) -> Iterator[tuple[Forwarded, bool]]:
    """Forwards that are called by name, and whether nothing hangs on their modules.

    Nothing does where a module is new, and no optimizer gets its parameters later, nor on the parts
    of what is being built.
    """
    held = [built.optimizer.parameters for built in trace.of(Built)]
    for called in trace.of(Forwarded):
        trained = any(each is None or called.module in each.owners for each in held)
        yield called, called.part or (called.fresh and not trained)


def lost_parameters(trace: Trace) -> Iterator[Computed]:
    """What modules are given that was computed from parameters which no module ever has."""
    registered = {event.made for event in trace.of(Registered)}
    for event in trace.of(Computed):
        if registered.isdisjoint(event.parameters):
            yield event


def settled(trace: Trace) -> Iterator[Settled]:
    """What constructors compute from parameters, and forwards use as it is, once and for all."""
    for event in trace.of(Settled):
        name, family = event.name, event.family
        used = any(read.method in family.led_to for read in family.reads(name))
        anew = any(write.method != "__init__" for write in family.writes(name))
        constant = any(family.asks_for(f"{name}.{each}") for each in ("detach", "data", "item"))
        if used and not (anew or constant or family.is_magic or family.may_change(name)):
            yield event


def never_trained(trace: Trace) -> Iterator[ToBeTrained]:
    """What forwards use that asks for gradients, and that nobody can hand to an optimizer."""
    for event in trace.of(ToBeTrained):
        name, family = event.name, event.family
        related = (*family.lineage, *family.descendants)
        reads = {read.method for read in family.reads(name, related)}
        known = bool(reads) and reads <= family.led_to and len(family.writes(name)) == 1
        handed = _takes_gradients(family, name) or family.is_named_elsewhere(name)
        hidden = family.is_open or family.lists_itself or family.may_change(name)
        if known and not handed and not hidden:
            yield event


def _takes_gradients(family: Family, name: str) -> bool:
    """Whether a class asks for gradients itself, as where it is derived by what it is given."""
    return family.asks_for(f"{name}.grad") or any(
        _DERIVES.search(definition.region.text) for definition in family.lineage
    )


def half_tied(trace: Trace) -> Iterator[HalfTied]:
    """Parameters that get the memory of those of a layer which stays where it is."""
    gone = {event.layer for event in trace.of(LetGo)}
    return (tie for tie in trace.of(HalfTied) if tie.layer not in gone)


def activated_twice(trace: Trace) -> Iterator[ActivatedTwice]:
    """Activations of what has been activated, in all calls of the function that applies them.

    A block that begins with one is applied after a stem that ends with one as well.
    """
    twice = {(event.spot, event.frame) for event in trace.of(ActivatedTwice)}
    once = {(event.spot, event.frame) for event in trace.of(Activated)} - twice
    needed = {spot for spot, _ in once}
    return (event for event in trace.of(ActivatedTwice) if event.spot not in needed)


def remembered(trace: Trace) -> Iterator[Kept]:
    """Graphs that forwards leave on their modules, and that no code clears: each place once."""
    seen, refused = set(), {event.name for event in trace.of(Refused)}
    for event in trace.of(Kept):
        if event.name in refused or event.spot in seen:
            continue
        if event.carried and event.family.is_begun_by_callers(event.name):
            continue
        if not event.family.may_change(event.name):
            seen.add(event.spot)
            yield event


def is_walked_back(trace: Trace, kept: Kept) -> bool:
    """Whether a backward, or the caller's, goes through what a call has taken from the one before.

    What reaches the results by ``detach`` or ``argmax`` alone is a graph that nobody goes through,
    and what does so on one of several ways is perhaps read in evaluation only.
    """
    walked = [event.node for event in trace.of(Backward) if event.index > kept.index]
    roots = [*trace.results, *(node for node in walked if node is not None)]
    return not kept.carried.isdisjoint(back(roots, lambda node: node.op != "join"))


def late(trace: Trace) -> Iterator[Late]:
    """What forwards build and keep, where an optimizer may have been built before: once each.

    What follows from other layers, as an inverse does, is trained and saved with them.
    """
    seen, derived = set(), {event.layer for event in trace.of(Derived)}
    last = max((built.index for built in trace.of(Built)), default=-1)
    for event in trace.of(Late):
        family = event.family
        if event.made in derived:
            continue
        if event.index < last:
            # The forward trains what it has made with an optimizer of its own.
            continue
        if family.is_magic:
            # What becomes of a parameter is for the class to say.
            continue
        if event.spot not in seen and family.index.texts.optimize and not family.is_run_dry:
            seen.add(event.spot)
            yield event


def twins(trace: Trace) -> Iterator[tuple[Filled, Uniform]]:
    """Layers whose units are alike and stay so: what follows on each is the same for all of them.

    Given are what has filled the weights, and the first layer of two.
    """
    seen = trace.of(Uniform)
    broken = {event.layer for event in seen if not event.even}
    users: graph.Users | None = None
    found: dict[int, Uniform] = {}
    for second in seen:
        if second.layer in broken or second.given is None:
            continue
        users = users if users is not None else graph.users(trace)
        first = _before(second.given, {event.result: event for event in seen}, users)
        if first is None or not first.alike or first.width == Const(1):
            continue
        if graph.walked_back(trace, first.result, first.index):
            found.setdefault(first.layer, first)
    for layer, first in found.items():
        fills = [
            event
            for event in trace.of(Filled)
            if event.index < first.index and (layer, "weight") in event.places
        ]
        if fills:
            yield fills[-1], first


def _before(node: Node, results: dict[Node, Uniform], users: graph.Users) -> Uniform | None:
    """The layer that gives what goes, unit by unit and to nothing else, into the next."""
    for _ in range(_FAR):
        if len(users[node]) != 1:
            return None
        if node in results:
            return results[node]
        if len(node.parents) != 1 or facts.plain(node.op)[0].lower() not in _ALIKE:
            return None
        node = node.parents[0]
    return None
