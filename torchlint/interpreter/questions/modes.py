"""Training and evaluation: which passes of a model are which, and in what mode they are made."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import syntax
from torchlint.interpreter.events.autograd import IdleMode
from torchlint.interpreter.events.graph import Backward, Differentiation, GradientRead
from torchlint.interpreter.events.modes import (
    NORM,
    Freeze,
    Pass,
    Switch,
)
from torchlint.interpreter.events.statements import Discarded
from torchlint.interpreter.events.states import Load
from torchlint.interpreter.events.training import Step
from torchlint.interpreter.holdings import owners_of
from torchlint.interpreter.questions import memory, rounds, some_rounds
from torchlint.interpreter.questions.measuring import is_in_eval, is_walked, measured, trained
from torchlint.interpreter.values import Certainty
from torchlint.project import around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.modes import LayerUse
    from torchlint.interpreter.switches import Mode
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node, Round, Spot


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WALKS = "backward"


def left_in_eval(trace: Trace) -> Iterator[tuple[Mode, Spot, Pass]]:
    """Models that train in the mode in which an earlier round of the loop has evaluated them.

    Gives the switch, its place, and the pass that trains in spite of it. At first the same pass was
    made in training mode in that loop, or the switch is a function's that evaluates and does not
    train; a switch back on any way between the two counts.
    """
    before: dict[tuple[int, Spot, int], Pass] = {}
    seen: set[Spot] = set()
    for each in trained(trace):
        loops = [round_.loop for round_ in each.rounds]
        first = {loop: before.setdefault((each.model, each.spot, loop), each) for loop in loops}
        for mode in each.modes:
            if mode.training or mode.spot is None or mode.spot in seen:
                continue
            meant = any(_is_in_training(first[loop]) for loop in _earlier(mode.rounds, each.rounds))
            meant = meant or (bool(loops) and _is_of_evaluation(trace, mode, each))
            if meant and not _switched_back(trace, mode, each):
                seen.add(mode.spot)
                yield mode, mode.spot, each


def _is_of_evaluation(trace: Trace, mode: Mode, until: Pass) -> bool:
    """Whether a function that has evaluated a model without its graph switched it for that.

    The model is trained then by an optimizer that has it, and nothing else has switched it.
    """
    if mode.spot is None or not isinstance(mode.spot.region.statement, _FUNCTIONS):
        return False
    region = mode.spot.region
    if region in {spot.region for spot in (until.spot, *until.calls)}:
        return False
    evaluated = any(
        each.model == until.model and each.grad is False and each.spot.region is region
        for each in trace.of(Pass)
        if mode.index < each.index < until.index
    )
    return (
        evaluated and _has_optimizer(trace, until) and not _is_switched_besides(trace, mode, until)
    )


def _has_optimizer(trace: Trace, trained: Pass) -> bool:
    """Whether an optimizer that steps after a pass has the model or parts, if that is known."""
    behind = {trained.model}.union(*(owners_of(node)[0] for node in trained.nodes))
    return any(
        step.optimizer.parameters is None or not behind.isdisjoint(step.optimizer.held)
        for step in trace.of(Step)
        if step.index > trained.index and step.optimizer is not None
    )


def _is_switched_besides(trace: Trace, mode: Mode, until: Pass) -> bool:
    """Whether a model is switched to evaluation elsewhere as well."""
    return any(
        switch.training is False and switch.module == until.model and switch.spot != mode.spot
        for switch in trace.of(Switch)
        if switch.index < until.index
    )


def _is_in_training(each: Pass) -> bool:
    """Whether nothing has switched a model to evaluation, whichever way it came to a pass."""
    return bool(each.modes) and all(mode.training for mode in each.modes)


def _earlier(rounds: tuple[Round, ...], others: tuple[Round, ...]) -> list[int]:
    """The loops that both are in, of which one is in an earlier round."""
    numbers = {round_.loop: round_.number for round_ in rounds}
    return [
        round_.loop for round_ in others if numbers.get(round_.loop, round_.number) < round_.number
    ]


def _switched_back(trace: Trace, mode: Mode, until: Pass) -> bool:
    return any(
        switch.training is not False and mode.index < switch.index < until.index
        for switch in trace.of(Switch)
    )


def evaluations(trace: Trace, *, between: bool = False) -> Iterator[Pass]:
    """The passes whose results are measured, and that no training is made of.

    What trains in the very round of a pass makes it part of the training, unless what is done in
    some rounds only, once they have trained, is to be among them (``between``); and gradients that
    are asked for in a loop within that round adapt the model to it.
    """
    asked = measured(trace)
    training = {each.index for each in trained(trace)}
    busy: set[tuple[Round, ...]] = set()
    for kind in (Backward, Step, GradientRead):
        busy |= {event.rounds for event in trace.of(kind)}
    for read in trace.of(GradientRead):
        busy |= {read.rounds[:depth] for depth in range(1, len(read.rounds))}
    for each in trace.of(Pass):
        if each.index not in asked - training:
            continue
        if each.rounds not in busy or (between and _is_between(trace, each)):
            yield each


def _is_between(trace: Trace, each: Pass) -> bool:
    """Whether a pass is made in some rounds of a training only, at their end."""
    if not each.rarely or any(read.rounds == each.rounds for read in trace.of(GradientRead)):
        return False
    trains = [*trace.of(Backward), *trace.of(Step)]
    return all(event.index < each.index for event in trains if event.rounds == each.rounds)


def evaluated_in_training(trace: Trace) -> Iterator[tuple[Pass, LayerUse]]:
    """Evaluations of what was trained, or loaded, with a layer that is in training mode.

    Who switches to training without training wants the layer so, as for predictions that scatter,
    unless that undoes a switch to evaluation that nothing has come of yet.
    What a round of the training has trained on may be measured again, to see how it went.
    """
    for each in evaluations(trace, between=True):
        trains = [event for event in trace.of(Backward) if event.rounds == each.rounds]
        if trains and (each.grad is not False or _is_of_the_training(trace, each)):
            continue
        for layer in each.known:
            modes = each.modes | layer.modes
            if (
                each.modes
                and layer.modes
                and all(mode.training and _is_left_over(trace, mode, each) for mode in modes)
            ):
                yield each, layer
                break


def _is_of_the_training(trace: Trace, each: Pass) -> bool:
    """Whether a pass is given what another of its round was given, or nothing that is known."""
    same = (one for one in trace.of(Pass) if one.rounds == each.rounds and one is not each)
    return not each.given or any(not each.given.isdisjoint(one.given) for one in same)


def _is_left_over(trace: Trace, mode: Mode, until: Pass) -> bool:
    """Whether a mode is not what somebody wants of a pass."""
    return (
        _has_trained(trace, mode, until)
        or _undoes(trace, mode, until)
        or _is_for_training(trace, mode, until)
    )


def _is_for_training(trace: Trace, mode: Mode, until: Pass) -> bool:
    """Whether the same place, after the same switch, applies models to train them."""
    return mode.spot is not None and any(
        each.spot == until.spot and any(other.spot == mode.spot for other in each.modes)
        for each in trained(trace)
    )


def _undoes(trace: Trace, mode: Mode, until: Pass) -> bool:
    """Whether the same function switched a model to evaluation before, and has not applied it."""
    before = [s for s in trace.of(Switch) if s.module == until.model and s.index < mode.index]
    if mode.spot is None or not before or before[-1].training is not False:
        return False
    return before[-1].spot.region is mode.spot.region and not any(
        each.model == until.model and before[-1].index < each.index < mode.index
        for each in trace.of(Pass)
    )


def _has_trained(trace: Trace, mode: Mode, until: Pass) -> bool:
    if mode.spot is None and any(load.module == until.model for load in trace.of(Load)):
        return True
    return any(mode.index <= event.index < until.index for event in trace.of(Backward))


def evaluated_with_graph(trace: Trace) -> Iterator[tuple[Pass, Spot | None]]:
    """Evaluations, round after round, that record a graph which nobody walks back or can get at.

    Each with the innermost place that is its alone; None where only the mode tells it from the
    training, which comes by the same places.

    Where something keeps these graphs, or `no_grad` is there and not entered, that is told instead.
    A place from which something is walked back as well cannot do without them, and what is only
    handed on to something unseen, such as an engine that steps, may be walked back there, as it may
    where that gets the model too, be it to adapt it and go on with what comes of that. A method
    of a model may be called where none is recorded.
    """
    if not trace.of(Pass) or (trace.method and not trace.of(Backward)):
        return
    out = [
        *trace.returned,
        *(keep.node for keep, *_ in memory.kept(trace)),
        *(total.total for total, *_ in memory.totals(trace)),
    ]
    places = trace.places(out)
    walks = (Backward, Differentiation)
    walked = [one for one in trace.of(Pass) if any(is_walked(trace, one, kind) for kind in walks)]
    training = {spot for each in walked for spot in (*each.calls, each.spot)}
    thrown = {event.spot for event in trace.of(Discarded)}
    handed = [node for node in trace.handed if node.spot in thrown | trace.lent]
    told: set[Spot | None] = set()
    for each in evaluations(trace, between=True):
        if each.grad is not True or not each.nodes or not each.rounds:
            continue
        if rounds.is_one_look(trace, each):
            continue
        place = _own_place(trace, each, training)
        if place is None and not _is_told_by_mode(each, walked):
            continue
        if any(idle.spot.region is (place or each.spot).region for idle in trace.of(IdleMode)):
            continue
        if any(node.spot in places for node in each.nodes) or not _is_for_nobody(trace, each):
            continue
        if any(_is_handed_on(trace, node, each) for node in handed):
            continue
        if place is not None and place in told:
            continue
        if is_in_eval(each) or any(event.index < each.index for event in trace.of(Backward)):
            told.add(place)
            yield each, place


def _is_for_nobody(trace: Trace, each: Pass) -> bool:
    """Whether a pass surely records a graph, of which nothing is seen that might walk it back."""
    recorded = all(_is_recorded(trace, node) for node in each.nodes)
    return recorded and not _is_frozen(trace, each) and not _may_be_walked(trace, each)


def _is_recorded(trace: Trace, node: Node) -> bool:
    """Whether what a model gives is in a graph, be it that of something unseen in its forward."""
    if node.certainty is Certainty.SURE or node.opaque:
        return True
    here = node.spot.region if node.spot is not None else None
    return any(
        each.opaque and each.spot is not None and each.spot.region is here
        for each in trace.reach(node)
    )


def _own_place(trace: Trace, each: Pass, training: set[Spot]) -> Spot | None:
    """The innermost place on the way to an evaluation by which no training comes.

    What has no loop of its own may be what a training calls as well, in sight or not.
    """
    way = [spot for spot in (each.spot, *reversed(each.calls)) if spot not in training]
    way = [spot for spot in way if not _trains_in_other_calls(trace, spot)]
    return next(filter(some_rounds.is_in_loop, way), next(iter(way), None))


def _trains_in_other_calls(trace: Trace, spot: Spot) -> bool:
    """Whether a function that walks nothing back here may do so where it is called otherwise."""
    region = spot.region
    walked = (walk.spot.region for walk in trace.of(Backward))
    return f".{_WALKS}(" in region.text and region not in walked


def _is_told_by_mode(each: Pass, walked: list[Pass]) -> bool:
    """Whether a pass is made in evaluation mode, and in training mode where it is walked back."""
    same = [one for one in walked if each.spot in (one.spot, *one.calls)]
    return is_in_eval(each) and all(map(_is_in_training, same))


def _may_be_walked(trace: Trace, each: Pass) -> bool:
    """Whether the rounds of a pass go on to walk back from what is not known."""
    return any(
        walk.node is None
        and not walk.tensors
        and walk.index > each.index
        and each.rounds[: len(walk.rounds)] == walk.rounds
        for walk in trace.of(Backward)
    )


def trains_in_its_loop(trace: Trace, evaluation: Pass, place: Spot) -> bool:
    """Whether the innermost loop around a place by which an evaluation goes also runs a backward.

    Where the model is called elsewhere, it may be any of the loops that the evaluation stands in;
    and what the loop itself walks back from, it does for others than this evaluation.
    """
    rounds = evaluation.rounds[-1:] if place == evaluation.spot else evaluation.rounds
    loops = {each.loop for each in rounds}
    if any(each.loop in loops for event in trace.of(Backward) for each in event.rounds):
        return True
    way = around.path(place.region, place.node)
    loop = next((node for node in reversed(way) if isinstance(node, syntax.LOOPS)), place.node)
    return any(isinstance(node, ast.Attribute) and node.attr == _WALKS for node in ast.walk(loop))


def _is_frozen(trace: Trace, each: Pass) -> bool:
    """Whether the parameters of a model that is not in sight were frozen, one by one."""
    told = [event for event in trace.of(Freeze) if each.model in event.modules]
    return any(event.frozen and event.index < each.index for event in told)


def _is_handed_on(trace: Trace, handed: Node, each: Pass) -> bool:
    """Whether what was computed of a pass was handed on, rather than what the pass gave."""
    return not trace.reach(handed).isdisjoint(each.nodes) and not any(
        node in handed.parents for node in each.nodes
    )


def moving_norms(trace: Trace) -> Iterator[tuple[Spot, Pass, LayerUse]]:
    """Frozen batch norms that gather statistics while other parts are trained.

    Gives the place where they were frozen. What is trained again somewhere was frozen for a while.
    """
    thawed = {module for event in trace.of(Freeze) if not event.frozen for module in event.modules}
    seen: set[Spot] = set()
    for each in trace.of(Pass):
        for layer in each.known:
            if layer.kind != NORM or layer.froze is None or layer.froze in seen:
                continue
            training = layer.modes and all(mode.training for mode in layer.modes)
            if training and layer.layer not in thawed and _trains(trace, each):
                seen.add(layer.froze)
                yield layer.froze, each, layer


def _trains(trace: Trace, each: Pass) -> bool:
    """Whether the round of a pass also steps an optimizer."""
    return bool(each.rounds) and any(step.rounds == each.rounds for step in trace.of(Step))
