"""Masks: which of them cover whole rows, and conditions, which masks are made of."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import formulas, shapes
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.edges import TURNED, Edge, EdgeKind
from torchlint.interpreter.facts import plain
from torchlint.interpreter.values import Const, Instance
from torchlint.torch_api import edging
from torchlint.torch_api.edging import rule

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Node, Spot, Tensor


COUNTED = frozenset({EdgeKind.FLAGS, EdgeKind.COUNT})

_PICKING = frozenset({"select", "rows", "view", "reshape", "squeeze", "unsqueeze", "to", "clone"})
_CALCULATING = frozenset({"max", "amax", "min", "amin", "sum", "mean", "add", "sub", "mul"})


@rule("eq", "ne", "lt", "le", "gt", "ge")
def _comparison(operation: Operation) -> Edge | None:
    one, other = edging.given(operation), edging.other(operation)
    kinds = {edge.kind for edge in (one, other) if edge is not None}
    if EdgeKind.TWIN in kinds or _is_with_its_own(operation):
        return None
    bound = edging.number(edging.second(operation))
    if EdgeKind.INDICES in kinds:
        counted = one is not None and one.kind is EdgeKind.INDICES
        return _positions(operation, counted) if bound is None else None
    if one is not None and one.kind in {EdgeKind.TRIANGLE, EdgeKind.OUTER} and bound is not None:
        holds = (_holds(operation.name, 0.0, bound), _holds(operation.name, 1.0, bound))
        return {(False, True): one, (True, False): turned(one)}.get(holds)
    if _is_setting(operation) or edging.is_table(operation):
        return None
    return replace(
        edging.brings(operation, EdgeKind.FLAGS),
        origins=frozenset({_first_asked(operation)}),
        usual=_is_usual(operation),
    )


def _first_asked(operation: Operation) -> Spot:
    """Where the same was asked for first, of the same values, in what is still going on.

    What a function has found out that has returned since keeps nobody from anything.
    """
    machine, formula = operation.machine, formulas.result(operation, None)
    if formula is None:
        return operation.spot
    first = machine.trace.conditions.get(formula)
    if first is None or not _goes_on(machine, first):
        first = machine.trace.conditions[formula] = operation.spot
    return first


def _goes_on(machine: Machine, spot: Spot) -> bool:
    """Whether the function that a place stands in has not returned yet."""
    running = (each.function.region for each in machine.activations if each.function is not None)
    return not spot.region.scope or any(region is spot.region for region in running)


def _positions(operation: Operation, first: bool) -> Edge | None:
    """Positions held against lengths; ``first`` says that they come first."""
    below, beyond = ({"lt", "le"}, {"gt", "ge"}) if first else ({"gt", "ge"}, {"lt", "le"})
    edge = edging.brings(operation, EdgeKind.POSITIONS)
    if operation.name in below:
        return edge
    return turned(edge) if operation.name in beyond else None


def _is_usual(operation: Operation) -> bool | None:
    """Whether each row is expected to have something that a condition holds for.

    A sequence has a token that is no padding, and what is looked up is somewhere in what it is
    looked for in. False where that is expected of the negation. Zero is what padding has; any other
    number is a threshold, and no more is known of what is above it, nor of sums and maxima.
    """
    value = edging.second(operation)
    if _is_result(edging.operands(operation)[0]):
        return None
    match operation.name, edging.number(value):
        case "eq" | "ne" as name, _:
            return (name == "eq") is _is_several(edging.tensor(operation, value))
        case "gt" | "le" as name, 0:
            return name == "gt"
    return None


def _is_result(tensor: Tensor | None) -> bool:
    """Whether something comes of calculating, as tokens do not."""
    node = tensor.node if tensor is not None else None
    while node is not None and plain(node.op)[0] in _PICKING and len(node.parents) == 1:
        (node,) = node.parents
    return node is not None and plain(node.op)[0] in _CALCULATING


def _is_several(tensor: Tensor | None) -> bool:
    """Whether something is surely a tensor with dimensions, and no setting."""
    if tensor is None or tensor.scalar:
        return False
    # What may be a number could as well be a tensor in some graph.
    return tensor.node is None or shapes.least_rank(tensor.shape) > 0


def _is_with_its_own(operation: Operation) -> bool:
    """Whether something is compared with what was computed from it, as half of its maximum.

    There are values then that the condition surely holds for, as far as is known. So there are
    where it is all pairs that are asked for equality, and where rows were chosen by what they hold.
    """
    if operation.name == "eq" and edging.same_spread(operation):
        return True
    one, other = edging.operands(operation)
    if _has_known_values(operation):
        return True
    if one is None or one.node is None:
        return False
    if other is None or other.node is None or other.node.opaque:
        return _is_near_its_maximum(operation, one.node)
    behind = operation.machine.trace.reach(other.node)
    if one.node is not other.node and one.node in behind:
        return True
    return _is_support(one.node, behind)


def _has_known_values(operation: Operation) -> bool:
    """Whether something is compared with values of its own, or was chosen by them."""
    value, machine = edging.second(operation), operation.machine
    one = formulas.of(machine, operation.inputs.get("input"))
    if one is None:
        return False
    if isinstance(value, Number):
        other, is_another = value.read, True
    else:
        other = formulas.of(machine, value)
        is_another = other != one
    if other is not None and is_another and one in other.within():
        return True
    if one.chosen_by is None:
        return False
    # Not element for element: what is left may be on one side of any other bound.
    whole, chosen_by = one.formulas[0], one.chosen_by
    return whole in chosen_by.within() and whole not in chosen_by.parts()


def _is_near_its_maximum(operation: Operation, node: Node) -> bool:
    """Whether the maximum was subtracted, which leaves a zero, and less than zero is asked for."""
    bound = edging.number(edging.second(operation))
    if operation.name not in {"gt", "ge"} or (bound is not None and bound >= 0):
        return False
    if plain(node.op)[0] not in {"sub", "isub"} or len(node.parents) != 2:
        return False
    whole, top = node.parents
    return plain(top.op)[0] in {"max", "amax"} and whole in operation.machine.trace.reach(top)


def _is_support(node: Node, behind: frozenset[Node]) -> bool:
    """Whether sorted values, as often as they are the rank, are held against their running sums.

    The first of them is among those that a projection onto the simplex keeps.
    """
    if plain(node.op)[0] != "mul":
        return False
    ordered = [part for part in node.parents if plain(part.op)[0] == "sort" and part in behind]
    return bool(ordered) and any(plain(part.op)[0] == "cumsum" for part in behind)


def _is_setting(operation: Operation) -> bool:
    """Whether what is compared is kept by the object whose method it is, which has looked at it.

    A view of it is as well.
    """
    machine = operation.machine
    receiver = machine.activations[-1].receiver if machine.activations else None
    record = machine.get(receiver) if receiver is not None else None
    if not isinstance(record, Instance):
        return False
    given, (compared, _) = operation.inputs.get("input"), edging.operands(operation)
    memory = compared.storages if compared is not None else frozenset()
    for kept in record.attributes.values():
        tensor = edging.tensor(operation, kept)
        if given == kept or (tensor is not None and not memory.isdisjoint(tensor.storages)):
            return True
    return False


def _holds(name: str, value: float, bound: float) -> bool:
    return {
        "eq": value == bound,
        "ne": value != bound,
        "lt": value < bound,
        "le": value <= bound,
        "gt": value > bound,
        "ge": value >= bound,
    }[name]


@rule("isnan", "isinf", "isfinite")
def _flags(operation: Operation) -> Edge:
    return edging.brings(operation, EdgeKind.FLAGS)


@rule("invert", "logical_not", "bitwise_not")
def _inverted(operation: Operation) -> Edge | None:
    given = edging.given(operation)
    return turned(given) if given is not None else None


@rule("bool", "long", "int")
def _discrete(operation: Operation) -> Edge | None:
    """A cast to an integer type: what is true or counted stays so."""
    given = edging.given(operation)
    if given is None:
        return None
    discrete = COUNTED | {EdgeKind.TRIANGLE, EdgeKind.OUTER, EdgeKind.INDICES, EdgeKind.ONES}
    discrete |= {EdgeKind.POSITIONS}
    return given if given.kind in discrete else None


@rule("triu", "tril")
def _triangle(operation: Operation) -> Edge | None:
    given = edging.given(operation)
    diagonal = edging.number(operation.inputs.get("diagonal", Const(0)))
    if given is None or given.kind is not EdgeKind.ONES or diagonal is None:
        return None
    return edging.brings(operation, EdgeKind.TRIANGLE, operation.name, diagonal, *given.detail)


@rule("matmul", "mm", "bmm")
def _inner_products(operation: Operation) -> Edge | None:
    if edging.same_spread(operation):
        transposed = any(
            operand is not None and operand.spread is not None and "T" in operand.spread[1]
            for operand in edging.operands(operation)
        )
        return edging.brings(operation, EdgeKind.GRAM) if transposed else outer(operation)
    return None


def outer(operation: Operation) -> Edge | None:
    """A mask for pairs, made of one mask for things: it is false in whole rows."""
    spread = all(
        operand is not None and operand.spread is not None for operand in edging.operands(operation)
    )
    if not spread or not edging.same_spread(operation):
        return None
    return edging.brings(operation, EdgeKind.OUTER, False)


def turned(edge: Edge) -> Edge | None:
    """The edge of a condition's negation."""
    match edge.kind, edge.detail:
        case EdgeKind.FLAGS | EdgeKind.POSITIONS, detail:
            usual = None if edge.usual is None else not edge.usual
            return replace(edge, detail=() if TURNED in detail else (TURNED,), usual=usual)
        case EdgeKind.OUTER, (turned_, *_):
            return replace(edge, detail=(not turned_,))
        case EdgeKind.TRIANGLE, ("triu", float() as diagonal, 1.0):
            return replace(edge, detail=("tril", diagonal - 1, 1.0))
        case EdgeKind.TRIANGLE, ("tril", float() as diagonal, 1.0):
            return replace(edge, detail=("triu", diagonal + 1, 1.0))
    return None


def whole(edge: Edge | None, *, minus_infinity: bool = False) -> bool:
    """Whether a mask surely covers a whole row, or adds minus infinity to one."""
    if edge is None:
        return False
    match edge.kind, edge.detail:
        case EdgeKind.OUTER, (turned_,):
            return bool(turned_) and not minus_infinity
        case EdgeKind.TRIANGLE, (name, float() as diagonal, float() as filled):
            if filled != (-math.inf if minus_infinity else 1.0):
                return False
            return diagonal <= 0 if name == "triu" else diagonal >= 0
    return False


@rule("masked_fill")
def _filled(operation: Operation) -> Edge | None:
    if operation.number("value") == -math.inf and whole(edging.other(operation)):
        return edging.brings(operation, EdgeKind.MASKED)
    return None


@rule("where")
def _chosen(operation: Operation) -> Edge | None:
    condition = edging.edge(operation, operation.inputs.get("condition"))
    if condition is None:
        return None
    if operation.number("input") == -math.inf and whole(condition):
        return edging.brings(operation, EdgeKind.MASKED)
    if operation.number("other") == -math.inf and whole(turned(condition)):
        return edging.brings(operation, EdgeKind.MASKED)
    return None
