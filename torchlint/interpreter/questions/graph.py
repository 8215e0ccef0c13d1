"""What a backward walks through, and what breaks it."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from torchlint.interpreter.cutting import UNCLEAR
from torchlint.interpreter.events.affine import HandedOut
from torchlint.interpreter.events.graph import Backward, Mutation
from torchlint.interpreter.graphs import back
from torchlint.interpreter.multiples import is_arithmetic, short
from torchlint.interpreter.values import Certainty
from torchlint.project import around
from torchlint.project.excluding import are_apart, facts
from torchlint.project.paired import is_list
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Event, Trace
    from torchlint.interpreter.values import Node, Spot

    Users = dict[Node, set[Node]]

# The last parts of their names.
_REDUCTIONS = frozenset({"mean", "sum"})
_FACTORS = frozenset({"mul", "rmul", "imul", "div", "truediv", "itruediv"})
_PARTS = frozenset({"rows", "item"})
_SAYING_THE_SAME = _REDUCTIONS | {
    *("view", "reshape", "squeeze", "flatten", "select"),
    *("sigmoid", "softmax", "log_softmax", "tanh"),
}


def walked_back(trace: Trace, node: Node, after: int) -> bool:
    """Whether a backward after an event, or the caller's, goes through a node."""
    if any(node in trace.reach(result) for result in trace.results):
        return True
    return any(
        backward.node is not None and backward.index > after and node in trace.reach(backward.node)
        for backward in trace.of(Backward)
    )


def freed_by(
    trace: Trace, node: Node, *, unless: Node | None = None, beside: Spot | None = None
) -> Backward | None:
    """The backward that frees a node's graph without having come through ``unless``.

    What is reached under other conditions than something ``beside`` does not free that one's.
    """
    same = _same(node)
    for backward in trace.of(Backward):
        if backward.node is None or backward.retained:
            continue
        if beside is not None and are_apart(backward.spot, beside):
            continue
        reached = trace.reach(backward.node)
        if not same.isdisjoint(reached) and (unless is None or unless not in reached):
            return backward
    return None


def walked_beside(trace: Trace, node: Node, event: Event) -> Backward | None:
    """The backward in the round of an event through something that a node was computed of.

    That surely has a graph, and so has what operations of torch make of it.
    """
    reached = set(back([node], _is_operation))
    for backward in trace.of(Backward):
        if backward.node is None or backward.rounds != event.rounds:
            continue
        if are_apart(backward.spot, event.spot):
            continue
        if not reached.isdisjoint(_same(backward.node) | _alone(backward.node)):
            return backward
    return None


def _is_operation(node: Node) -> bool:
    """Whether a node is known for what it is; what was taken for a tensor is that tensor."""
    return node.op not in {"opaque", "unclear", "join"} or node.spot is None


def in_graph(trace: Trace, node: Node) -> bool:
    """Whether a value surely has a graph: by its parts, or because it is walked back."""
    if node.certainty is Certainty.SURE:
        return True
    same = _same(node)
    roots = [backward.node for backward in trace.of(Backward) if backward.node is not None]
    if any(not same.isdisjoint(_same(root) | _alone(root)) for root in roots):
        return True
    # A loss that is a term of what is walked back is there to be trained on.
    if any(generated.loss_function(f"torch.{each.op}") for each in same):
        return any(not same.isdisjoint(back([root], is_arithmetic)) for root in roots)
    # So is a mean or a sum of one's own that is added to others; what divides may be a count.
    is_reduced = any(short(each.op) in _REDUCTIONS for each in same)
    return is_reduced and any(not same.isdisjoint(back([root], _adds)) for root in roots)


def _adds(node: Node) -> bool:
    """Whether an operation makes a sum of what it is given, or another number of one thing."""
    if short(node.op) in _REDUCTIONS or (is_arithmetic(node) and len(node.parents) == 1):
        return True
    return is_arithmetic(node) and short(node.op) not in _FACTORS


def _alone(root: Node) -> set[Node]:
    """What surely has a graph, as what is walked back was computed of nothing else that may.

    That ends with calls out of sight, which may have parameters of their own, and with a part
    of what they give, which says nothing of the others.
    """
    seen = {root}
    while (root.op != "opaque" or root.spot is None) and not _is_unseen_part(root):
        computed = [each for each in root.parents if each.op != "opaque" or each.parents]
        if len(computed) != 1:
            break
        (root,) = computed
        seen.add(root)
    return seen - {UNCLEAR}


def _is_unseen_part(node: Node) -> bool:
    """Whether a value is one of several that something unseen may have given."""
    return node.certainty is Certainty.UNSEEN and short(node.op) in _PARTS


def broken(trace: Trace) -> Iterator[tuple[Mutation, Node]]:
    """Changes in place of what an operation keeps whose backward is still to come."""
    for mutation in trace.of(Mutation):
        for keeper in () if _replaces_an_item(mutation) else mutation.keepers:
            if keeper.certainty is not Certainty.UNSEEN and walked_back(
                trace, keeper, mutation.index
            ):
                yield mutation, keeper
                break


def is_for_evaluation(mutation: Mutation) -> bool:
    """Whether a test of the mode leads to a change only where the module does not train."""
    return any(
        not holds and isinstance(test, ast.Attribute) and test.attr == "training"
        for test, holds in facts(mutation.spot)
    )


def foreign(trace: Trace) -> Iterator[Mutation]:
    """Changes in place of forward's own argument, or of what something unseen gave it."""
    if not trace.forward:
        return
    for mutation in trace.of(Mutation):
        if mutation.weighed or _replaces_an_item(mutation) or _is_put_back(trace, mutation):
            continue
        given = mutation.tensor.argument and not trace.procedure
        if mutation.opaque or (given and not _is_apart(mutation)):
            yield mutation


def _is_put_back(trace: Trace, mutation: Mutation) -> bool:
    """Whether what is written where a mask holds is overwritten in the end by what stood there.

    The mask was asked where the tensor holds one number. What was kept in between is lost.
    """
    storages = mutation.tensor.storages
    same = [one for one in trace.of(Mutation) if not storages.isdisjoint(one.tensor.storages)]
    written = [one.masked for one in same if one.masked is not None and not one.keepers]
    if len(written) < len(same) or len({each.mask for each in written}) > 1:
        return False
    first, last = same[0].spot, same[-1].spot
    is_as_before = written[0].held is not None and written[-1].put == written[0].held
    return is_as_before and around.leads_on(first, last)


def _replaces_an_item(mutation: Mutation) -> bool:
    """Whether what is changed is a list of tensors, by what else the function does with it."""
    match mutation.spot.node:
        case (
            ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))])
            | ast.Subscript(value=ast.Name(id=name))
        ):
            region = mutation.spot.region
            function = region.statement
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return is_list(name, function, region.text)
    return False


_OF_ONE = frozenset("unsqueeze_() squeeze_() transpose_() t_() swapaxes_() swapdims_()".split())
"""What changes the dimensions of a tensor, and of none that shares its memory."""


def _is_apart(mutation: Mutation) -> bool:
    """Whether a view is changed in a way that what it is a view of does not notice."""
    node = mutation.tensor.node
    return mutation.how in _OF_ONE and node is not None and node.op != "input"


def _says_the_same(node: Node) -> bool:
    # What was not known for a tensor has a node of its own from when it was used as one.
    is_taken = node.op == "opaque" and node.spot is None
    return is_taken or is_arithmetic(node) or short(node.op) in _SAYING_THE_SAME


def _same(node: Node) -> set[Node]:
    """The node and those of which it says the same: ``loss / steps``, or the mean of a loss.

    What stands for all graphs that are not known says nothing of any.
    """
    seen = {node}
    while len(node.parents) == 1 and _says_the_same(node):
        node = node.parents[0]
        seen.add(node)
    return seen - {UNCLEAR}


def users(trace: Trace) -> Users:
    """What is computed from each node; what is handed out has its caller for another user."""
    roots = [*trace.results, *trace.returned, *(event.node for event in trace.of(Backward))]
    found: Users = defaultdict(set)
    for event in trace.of(HandedOut):
        for node in event.nodes:
            found[node] |= {node, *node.parents}
    for root in roots:
        if root is not None:
            found[root] |= {root, *root.parents}
            for node in trace.reach(root):
                for parent in node.parents:
                    found[parent].add(node)
    return found
