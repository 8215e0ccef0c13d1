"""What cuts in a graph cost: terms of a loss without gradient, parameters that never get one."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward, Wrapped
from torchlint.interpreter.events.training import Step
from torchlint.interpreter.graphs import back
from torchlint.interpreter.holdings import owners_of
from torchlint.interpreter.multiples import short
from torchlint.interpreter.reach import are_own, is_of_callers
from torchlint.interpreter.values import Certainty
from torchlint.project import around
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from torchlint.interpreter.cuts import By, Cut
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node, Round, Spot

_SUMS = frozenset({"add", "radd", "iadd", "sub", "rsub", "isub"})
_SCALES = frozenset({"mul", "rmul", "imul", "div", "truediv", "itruediv", "neg"})
_SAME = frozenset({"join", "kept", "accumulate", "to", "roots", "mean", "sum", "stack", "cat"})


def lost(trace: Trace, ways: Collection[By]) -> Iterator[tuple[Backward, Cut]]:
    """Terms of a loss that have been cut off what they were computed from.

    A number that is added to a loss changes no gradient.
    """
    for backward in trace.of(Backward):
        for node in _terms(backward.node):
            found = [cut for cut in node.cuts if cut.by in ways and _is_trained(trace, cut)]
            found = [cut for cut in found if not _passes_by(trace, node, cut)]
            if found and (node is not backward.node or node.parents):
                # One term may be computed from several that were cut off.
                yield backward, found[-1]


def replaced(trace: Trace, ways: Collection[By]) -> Iterator[tuple[Backward, Cut]]:
    """Losses that are no more than a leaf, made of the values of one that had a graph.

    Where a step follows, it is no matter whether that is known: from a leaf one gets nowhere, on
    this way of several too.
    """
    for backward in trace.of(Backward):
        starts = [backward.node] if backward.node is not None else []
        in_vain = not backward.seeded and bool(_steps_after(trace, backward))
        ends = [node for node in back(starts, _is_chosen) if not _is_chosen(node)]
        for node in ends:
            is_leaf = node.op == "leaf" and node.certainty is Certainty.SURE
            # What a loop adds to is the beginning of a sum, if there is anything to add.
            is_begun = any(node in trace.reach(other) for other in ends if other is not node)
            for cut in node.cuts if not (node.parents or is_begun) else ():
                if cut.by in ways and (_is_trained(trace, cut) or (is_leaf and in_vain)):
                    yield backward, cut
                    break


def _is_chosen(node: Node) -> bool:
    return node.op == "join"


def _terms(root: Node | None) -> Iterator[Node]:
    """The sums that a loss is made by, and leaves that stand for terms of it."""
    for node in back([root] if root is not None else [], _is_of_sums):
        if not node.parents or (short(node.op) in _SUMS and node.scalar):
            yield node


def _is_of_sums(node: Node) -> bool:
    op = short(node.op)
    return op in _SUMS | _SAME or (op in _SCALES and len(node.parents) == 1)


def _is_trained(trace: Trace, cut: Cut) -> bool:
    """Whether what was cut off surely leads to parameters."""
    if cut.of.certainty is not Certainty.SURE:
        return False
    return any(node.op == "parameter" for node in trace.reach(cut.of))


def _passes_by(trace: Trace, node: Node, cut: Cut) -> bool:
    """Whether the gradient goes another way on purpose, as in ``soft + (hard - soft).detach()``."""
    return any(parent in trace.reach(cut.of) for parent in node.parents)


def wrapped(trace: Trace) -> Iterator[Wrapped]:
    """Tensors that `Variable` surely takes out of a graph, where nothing says that it is to.

    What is asked to be a leaf has a gradient of its own, for which others are given up; that of a
    loss is one.
    """
    for made in trace.of(Wrapped):
        node = made.tensor.node
        sure = node is not None and node.certainty is Certainty.SURE
        lost = sure and (not made.leaf or made.tensor.scalar)
        if lost and not _is_asked_for(made.spot) and not _is_needed(trace, made):
            yield made


def _is_needed(trace: Trace, made: Wrapped) -> bool:
    """Whether each backward that ends at a wrapped tensor is to end there.

    The graph before it is one of an earlier round, which cannot be walked again, or the steps that
    follow are of optimizers that train nothing there.
    """
    node = made.tensor.node
    if node is None:
        return False
    ending = [each for each in trace.of(Backward) if _ends_at(trace, each, made.spot, node)]
    return bool(ending) and all(
        _is_walked_again(trace, each, node, made.rounds) or _trains_others(trace, each, node)
        for each in ending
    )


def _ends_at(trace: Trace, backward: Backward, spot: Spot, node: Node) -> bool:
    """Whether a backward comes to where the graph of a node was left."""
    reached = trace.reach(backward.node) if backward.node is not None else ()
    cuts = (cut for each in reached for cut in each.cuts)
    return any(cut.spot == spot and cut.of is node for cut in cuts)


def _is_walked_again(
    trace: Trace, backward: Backward, node: Node, rounds: tuple[Round, ...]
) -> bool:
    """Whether a backward of each round would walk through what was computed before the round."""
    depth = len(rounds)
    if not rounds or backward.rounds[:depth] != rounds or backward.retained:
        return False
    computed = [each for each in trace.reach(node) if each.parents and each.op not in _SAME]
    return any(each.rounds[:depth] != rounds for each in computed)


def _trains_others(trace: Trace, backward: Backward, node: Node) -> bool:
    """Whether what steps after a backward is known, and no part of it is behind a node."""
    behind, whole = owners_of(node)
    steps = _steps_after(trace, backward)
    held = [step.optimizer.parameters if step.optimizer is not None else None for step in steps]
    return (whole or is_of_callers(trace, node)) and all(
        each is not None and each.whole and behind.isdisjoint(each.owners) for each in held
    )


_CUTTING = Pattern(r"static|freez|froz|fix|detach|(?:no|stop)_?grad", re.IGNORECASE)
"""How an option says that what comes before is not to be trained."""


def _is_asked_for(spot: Spot) -> bool:
    """Whether this runs where an option asks for a cut."""
    tests = around.tests(spot.region, spot.node)
    return any(holds and _CUTTING.search(ast.unparse(test)) for test, holds in tests)


def starved(trace: Trace, ways: Collection[By]) -> Iterator[tuple[Backward, Cut]]:
    """Cuts behind which parameters get no gradient from any backward.

    The optimizer that steps after the backward holds them, and others that do get one. What comes
    in from out of sight may lead to what something there has got hold of, and to nothing else.
    """
    backwards = trace.of(Backward)
    reached: set[int] = set()
    aside: list[Backward] = []
    for backward in backwards:
        owners, whole = owners_of(backward.node)
        if backward.node is None or not (whole or is_of_callers(trace, backward.node)):
            return
        reached |= owners
        if not whole:
            aside.append(backward)
    for backward in backwards:
        assert backward.node is not None
        trained, _ = owners_of(backward.node)
        held = [step.holds for step in _steps_after(trace, backward) if step.holds & trained]
        for node in trace.reach(backward.node) if held else ():
            for cut in node.cuts:
                if cut.by in ways and not _passes_by(trace, node, cut):
                    behind, _ = owners_of(cut.of)
                    left = {owner for owner in behind - reached if _is_beyond(trace, owner, aside)}
                    if any(left & holds for holds in held):
                        yield backward, cut


def between(trace: Trace, backward: Backward, way: By) -> Cut | None:
    """A cut by which alone a loss has come from the parameters that are stepped then, if one is.

    What else it was computed from has come in from out of sight, as targets do.
    """
    root = backward.node
    if root is None or owners_of(root)[0] or not is_of_callers(trace, root):
        return None
    found = [cut for node in trace.reach(root) for cut in node.cuts]
    for cut in found:
        behind, _ = owners_of(cut.of)
        mine = are_own(trace, behind, backward.escaped)
        held = any(step.holds & behind for step in _steps_after(trace, backward))
        if cut.by is not way or not mine or not held:
            return None
    return found[0] if found else None


def _is_beyond(trace: Trace, owner: int, aside: list[Backward]) -> bool:
    """Whether these backwards, which lead out of sight, cannot come to a module from there."""
    return all(are_own(trace, {owner}, backward.escaped) for backward in aside)


def _steps_after(trace: Trace, backward: Backward) -> list[Step]:
    """The steps that use the gradients of a backward: those up to the backward that follows."""
    found: list[Step] = []
    for event in trace.events[backward.index + 1 :]:
        if isinstance(event, Step):
            found.append(event)
        elif isinstance(event, Backward) and found:
            break
    return found
