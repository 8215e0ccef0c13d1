"""Walks back through graphs: those that cannot start, and those that come twice."""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING

from torchlint.interpreter import loop_names, syntax
from torchlint.interpreter.cuts import By
from torchlint.interpreter.cutting import UNCLEAR
from torchlint.interpreter.events.graph import (
    ArrayMade,
    Backward,
    Differentiation,
    GradientOf,
)
from torchlint.interpreter.facts import plain
from torchlint.interpreter.graphs import Passages
from torchlint.interpreter.multiples import SCALED
from torchlint.interpreter.values import Certainty
from torchlint.project import around

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from torchlint.interpreter.cuts import Cut
    from torchlint.interpreter.events.graph import Walk
    from torchlint.interpreter.trace import Chain, Trace
    from torchlint.interpreter.values import Node, Spot

_OF_OTHER_RULES = (By.NO_GRAD, By.GRADIENT, By.NUMPY, By.PYTHON)
"""Cuts that have rules of their own, the one that tells most first."""


_NEAREST = 64
"""So many walks before one are looked at: more there are only where loops stand in many others."""

_LEAVES = frozenset({"parameter", "leaf"})


def walks(trace: Trace) -> list[Walk]:
    """All walks back through graphs, in order."""
    found: list[Walk] = [*trace.of(Backward), *trace.of(Differentiation)]
    return sorted(found, key=lambda walk: walk.index)


def name(walk: Walk) -> str:
    """What a walk is called in the source."""
    return "backward()" if isinstance(walk, Backward) else "torch.autograd.grad()"


def without_graph(trace: Trace, ways: Collection[By] = ()) -> Iterator[tuple[Walk, Chain]]:
    """Walks that start at something in no graph because it was cut off in one of these ways.

    Without ways, those whose cuts no other rule speaks of.
    """
    for walk in walks(trace):
        cuts = _cuts(walk)
        if cuts is None or walk.chosen:
            continue
        told = [cut for by in _OF_OTHER_RULES for cut in cuts if cut.by is by]
        if told and told[0].by is By.NO_GRAD and walk.doubtful:
            continue
        if (told and told[0].by in ways) or (not told and not ways):
            yield walk, chain(told[:1] or cuts)


def _cuts(walk: Walk) -> tuple[Cut, ...] | None:
    """What cut the start of a walk off; None where it has a graph, or may have one."""
    if walk.number is not None:
        return walk.number.cuts or None
    for tensor in walk.tensors:
        if tensor.node is None:
            return tensor.cuts
    return None


def chain(cuts: Collection[Cut]) -> Chain:
    """Where graphs were cut."""
    return tuple((cut.spot, f"{cut.by.value} takes it out of the graph here") for cut in cuts)


def second(trace: Trace) -> Iterator[tuple[Walk, Walk, Node]]:
    """Walks through what an earlier one has freed: both, and what they share.

    Of several values that may be walked back from, that of an earlier round need not be meant.
    """
    passages = Passages()
    for walk in walks(trace):
        if _cuts(walk) is not None:
            # It raises, and what comes after is not reached.
            return
        if walk.node is None:
            continue
        for earlier in islice(reversed(walk.before), _NEAREST):
            if walk.one_of and earlier.spot == walk.spot:
                continue
            node = _freed(trace, passages, earlier, walk.node)
            if node is not None:
                yield walk, earlier, node
                break


def repeated(trace: Trace) -> Iterator[tuple[Walk, Walk]]:
    """Walks from the very value that an earlier statement of the block has walked back from.

    What its graph is made of need not be in sight: hardly one keeps nothing.
    """
    for walk in trace.of(Backward):
        begun = _statement(walk)
        for earlier in islice(reversed(walk.before), _NEAREST) if begun is not None else ():
            same = walk.node is not None and _value(earlier.node) is _value(walk.node)
            if same and earlier.spot != walk.spot and _statement(earlier) == begun:
                yield walk, earlier
                break


def _value(node: Node | None) -> Node | None:
    """What a walk starts at, be it multiplied by a scaler on the way."""
    return node.parents[0] if node is not None and node.op == SCALED and node.parents else node


def _statement(walk: Walk) -> tuple[ast.AST, str] | None:
    """The block that a walk is a statement of, and the name of what it starts at."""
    parents, node = walk.spot.region.parents, walk.spot.node
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Name(id=name)
                | ast.Call(func=ast.Attribute(attr="scale"), args=[ast.Name(id=name)])
            )
        ):
            parent = parents.get(node)
            block = parents.get(parent) if isinstance(parent, ast.Expr) else None
            return (block, name) if block is not None else None
    return None


def _freed(trace: Trace, passages: Passages, earlier: Walk, start: Node) -> Node | None:
    """Something that a walk has surely freed and that one from ``start`` surely needs."""
    if earlier.node is None:
        return None
    shared = passages.shared(earlier.node, start)
    if isinstance(earlier, Differentiation):
        # It ends at what it was asked for, and leaves alone what that was made by.
        ends = {tensor.node for tensor in earlier.inputs if tensor.node is not None}
        owners = {node.owner for node in ends if node.owner is not None}
        shared = [
            node
            for node in shared
            if any(
                one is not node and (one in ends or one.owner in owners)
                for one in trace.reach(node)
            )
        ]
    sure = _implied(earlier.node) | _implied(start)
    found = [
        node for node in shared if node.keeps and (node.certainty is Certainty.SURE or node in sure)
    ]
    return found[0] if found else None


def _implied(start: Node) -> set[Node]:
    """What must require grad if the start of a walk does."""
    seen = {start}
    while len(start.parents) == 1 and start.op != "join":
        start = start.parents[0]
        seen.add(start)
    return seen


def of_many_values(trace: Trace) -> Iterator[tuple[Walk, Chain]]:
    """Walks without a gradient to start with, from a tensor of several values."""
    for walk in walks(trace):
        for tensor in () if walk.seeded else walk.tensors:
            sizes = tensor.shape or ()
            if tensor.unreduced is not None and (not sizes or any(size != 1 for size in sizes)):
                yield walk, ((tensor.unreduced, "this loss has a value for each of the batch"),)
            elif any(isinstance(size, int) and size > 1 for size in sizes):
                yield walk, ()


def needlessly_retained(trace: Trace) -> Iterator[Backward]:
    """Backwards in loops that retain a graph which nothing walks through again, in any round."""
    asked = [
        each for each in trace.of(Backward) if each.literally and each.rounds and not each.within
    ]
    used = {backward.spot for backward in asked if _is_used_again(trace, backward)}
    # Where the run ends before another round, nobody knows what that one walks through.
    again = {backward.spot for backward in asked if any(r.number > 1 for r in backward.rounds)}
    for backward in asked:
        if backward.spot in again - used:
            yield backward


def _is_used_again(trace: Trace, backward: Backward) -> bool:
    """Whether a later walk, or something unseen, may come through a backward's graph again."""
    if backward.node is None:
        return True
    within = trace.reach(backward.node)
    # What stands for all graphs that are not known is in each of them.
    inner = {node for node in within if node.op not in _LEAVES and node is not UNCLEAR}
    later = [walk for walk in walks(trace) if walk.index > backward.index]
    # What something unseen has made of the graph on the way to this walk is before it.
    handed = (node for node in trace.handed if node not in within)
    nodes = (*(walk.node for walk in later), *trace.returned, *handed)
    if any(node is None or not inner.isdisjoint(trace.reach(node)) for node in nodes):
        return True
    if not _begins_unseen(trace, backward):
        return False
    # What two graphs have in common that both begin out of sight is not known.
    return _is_older_than_its_loop(backward.spot) or any(
        _is_in_its_round(walk, backward)
        and walk.spot != backward.spot
        and _begins_unseen(trace, walk)
        for walk in later
    )


def _is_in_its_round(walk: Walk, backward: Backward) -> bool:
    """Whether a walk is in the round that a backward is in, or in a loop that this round has."""
    return all(a == b for a, b in zip(walk.rounds, backward.rounds, strict=False))


def _begins_unseen(trace: Trace, walk: Walk) -> bool:
    """Whether a graph goes back to what came from out of sight, with whatever is behind it."""
    reached = trace.reach(walk.node) if walk.node is not None else ()
    return any(node.opaque and not node.parents for node in reached)


def _is_older_than_its_loop(walk: Spot) -> bool:
    """Whether a walk starts at what no statement of the loop around it makes: at one of several."""
    name = _walked_from(walk.node)
    loops = [each for each in around.path(walk.region, walk.node) if isinstance(each, syntax.LOOPS)]
    return bool(name and loops) and not loop_names.is_made_in(loops[-1], name)


def _walked_from(node: ast.AST) -> str:
    """The name of what a backward starts at, or of what that is an item or the mean of."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner), args=[]):
            return _walked_from(owner)
        case ast.Subscript(value=owner) | ast.BinOp(left=owner):
            return _walked_from(owner)
        case ast.Name(id=name):
            return name
    return ""


def arrays_of_graphs(trace: Trace) -> Iterator[ArrayMade]:
    """Where NumPy is handed a tensor that surely requires grad.

    A function or forward that runs on its own may be called where grad is off: models that it is
    given, or that its object has, are not claimed to be in training. What has been walked back from
    had a graph, wherever that came from.
    """
    for made in trace.of(ArrayMade):
        node = made.tensor.node
        if node is not None and _is_walked(node, made.walked):
            yield made
            continue
        if node is None or node.certainty is not Certainty.SURE:
            continue
        owners = [each.owner for each in trace.reach(node) if each.owner is not None]
        if not any(owner < trace.begun for owner in owners):
            yield made


def _is_walked(node: Node, walks: Iterable[Walk]) -> bool:
    """Whether one of the walks has begun at a tensor, or at what is the same number of times it."""
    roots = [walk.node for walk in walks if not (walk.one_of or walk.doubtful or walk.chosen)]
    origins = set(_same(node))
    return any(not origins.isdisjoint(_same(root)) for root in roots if root is not None)


def _same(node: Node) -> Iterator[Node]:
    """A tensor, and what it is the same numbers as, or a multiple of, or their mean."""
    yield node
    while plain(node.op)[0] in _LIKEWISE and len(node.parents) == 1:
        node = node.parents[0]
        yield node


_LIKEWISE = frozenset(
    "to cpu float double contiguous view reshape squeeze unsqueeze flatten mul div truediv rmul "
    "neg mean sum alias".split()
)
"""Operations whose result requires grad if what they are applied to does, and else does not."""


def gradients_not_stored(trace: Trace) -> Iterator[tuple[GradientOf, Spot | None]]:
    """Reads of the gradient of something that is surely no leaf, and where that is computed.

    A function that asks first whether there is one gets along without, whatever it is handed.
    """
    for read in trace.of(GradientOf):
        tensor, node = read.tensor, read.tensor.node
        if node is None or tensor.leaf or tensor.retains or node.certainty is not Certainty.SURE:
            continue
        last = node.op.rpartition(".")[2].strip("_")
        if not node.parents or last in _MAYBE_ITSELF:
            continue
        if not (_is_handed(read.spot) and _is_asked_for(read.spot)):
            yield read, node.spot


def _is_handed(read: Spot) -> bool:
    """Whether an attribute is that of what no assignment of the function around it gives."""
    function = read.region.statement
    match read.node:
        case ast.Attribute(value=ast.Name(id=name)) if isinstance(function, syntax.FUNCTIONS):
            return not loop_names.is_assigned(function, name)
    return False


def _is_asked_for(read: Spot) -> bool:
    """Whether a read is, or stands below, a test for what is read."""
    for outer in around.path(read.region, read.node)[:-1]:
        if isinstance(outer, (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.comprehension)):
            tests = outer.values[:1] if isinstance(outer, ast.BoolOp) else _tests(outer)
            if any(syntax.alike(part, read.node) for test in tests for part in ast.walk(test)):
                return True
    return False


def _tests(outer: ast.If | ast.IfExp | ast.While | ast.comprehension) -> list[ast.expr]:
    return outer.ifs if isinstance(outer, ast.comprehension) else [outer.test]


_MAYBE_ITSELF = frozenset(
    "to contiguous join kept accumulate roots dropout identity type float requires_grad opaque "
    "alias expand_as".split()
)
"""Operations that may give the very tensor that they are given, which may be a leaf."""
