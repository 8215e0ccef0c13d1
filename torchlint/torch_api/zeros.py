"""Edges at zero: which operations bring values there exactly, and which keep them there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import edges, shapes, tensors
from torchlint.interpreter.edges import COMPLEMENT, TURNED, ZEROS, Edge, EdgeKind
from torchlint.interpreter.values import NONE, Const, Ref, Tensor, Tuple
from torchlint.torch_api import edging
from torchlint.torch_api.edging import rule
from torchlint.torch_api.masks import COUNTED, outer, turned, whole

if TYPE_CHECKING:
    from torchlint.interpreter.ranges import Operation

_OF_PARTS = frozenset({EdgeKind.RECTIFIED, EdgeKind.REDUCED})
_DIMENSIONS = frozenset({"dim", "axis"})
_ABOVE_ZERO = frozenset({"softplus", "exp", "exp2"})
"""What gives no zeros, and nothing below."""

CUT = "cut"
"""The detail of what a clamp cuts off."""

SHUT = "shut"
"""The detail of what a ReLU has let through: where that is zero, no gradient comes through."""

_PLACED = frozenset({EdgeKind.TWIN, EdgeKind.INDICES, EdgeKind.GRAM})
"""Kinds of which the values are at their edge in some places only, so that parts may have none."""


# What brings values to an edge.


@rule("softmax", "softmax2d", "gumbel_softmax", "sigmoid", "hardsigmoid")
def _probability(operation: Operation) -> Edge | None:
    given = edging.given(operation)
    if given is not None and given.kind is EdgeKind.MASKED:
        return edging.brings(operation, EdgeKind.INFINITE)
    if _is_drawn(operation):
        return None
    scores = operation.range("input")
    if scores is not None and operation.name in {"softmax", "softmax2d"}:
        if scores.high - scores.low < _FARTHEST:
            return None
    elif scores is not None and operation.name == "sigmoid" and scores.low > -_FARTHEST:
        near_one = scores.high > _NEAR_ONE
        return edging.brings(operation, EdgeKind.SATURATED) if near_one else None
    return edging.brings(operation, EdgeKind.PROBABILITY)


def _is_drawn(operation: Operation) -> bool:
    """Whether scores are random numbers as they were drawn, which are never far apart."""
    value = operation.inputs.get("input")
    made = operation.machine.trace.made.get(value.address) if isinstance(value, Ref) else None
    return made is not None and made.op.rpartition(".")[2] in _DRAWING


_DRAWING = frozenset({"randn", "randn_like", "rand", "rand_like"})

_FARTHEST = 60.0
"""So far below the largest score a softmax does not round to zero, nor a sigmoid so far below 0."""

_NEAR_ONE = 15.0
"""The score from which a sigmoid may round to one."""


@rule("tanh")
def _saturated(operation: Operation) -> Edge:
    return edging.brings(operation, EdgeKind.SATURATED)


@rule("relu", "relu6")
def _rectified(operation: Operation) -> Edge | None:
    cut = _cut_off(operation)
    return replace(cut, detail=(SHUT,)) if cut is not None and cut.kind is EdgeKind.TWIN else cut


_SPECTRAL = frozenset({"eigh", "eigvalsh", "svd", "svdvals"})
"""What gives the spectrum of a matrix, of which what is below zero is rounding, and not all."""


def _cut_off(operation: Operation) -> Edge | None:
    given = edging.given(operation)
    cut = operation.machine.get(operation.inputs.get("input", NONE))
    if isinstance(cut, Tensor) and cut.node and cut.node.op.rpartition(".")[2] in _SPECTRAL:
        return given
    if given is not None and given.kind is EdgeKind.TWIN:
        return given
    if given is not None and given.kind is EdgeKind.GRAM and given.detail:
        return replace(given, kind=EdgeKind.TWIN)
    return edging.brings(operation, EdgeKind.RECTIFIED)


@rule("clamp", "clip", "clamp_min", "clamp_max")
def _clamped(operation: Operation) -> Edge | None:
    if operation.inputs.get("min", NONE) == NONE:
        return edging.given(operation)
    if operation.held("min") != 0:
        return _left_at_one(operation)
    before = operation.range("input")
    if before is not None and before.op.lower() in _ABOVE_ZERO:
        # Nothing is there to be cut off.
        return edging.given(operation)
    cut = _cut_off(operation)
    return replace(cut, detail=(CUT,)) if cut is not None else None


def _left_at_one(operation: Operation) -> Edge | None:
    """What is kept away from zero alone may still round to one, as probabilities do."""
    given, high = edging.given(operation), operation.held("max")
    if given is None or given.kind is not EdgeKind.PROBABILITY or given.detail:
        return None
    last = high if operation.inputs.get("max", NONE) != NONE else 1.0
    return replace(given, kind=EdgeKind.SATURATED) if last is not None and last >= 1 else None


@rule("cdist", "pairwise_distance")
def _distance(operation: Operation) -> Edge | None:
    one, other = operation.inputs.get("x1"), operation.inputs.get("x2")
    same = one == other and isinstance(one, Ref)
    return edging.brings(operation, EdgeKind.TWIN) if same else None


@rule("norm", "vector_norm", "std", "var")
def _norm(operation: Operation) -> Edge | None:
    given = edging.given(operation)
    if given is not None and given.kind in _OF_PARTS | COUNTED | {EdgeKind.TWIN}:
        return _reduced(operation)
    return edging.brings(operation, EdgeKind.NORM)


# What keeps them there.


@rule(*"abs neg square sqrt clone contiguous repeat gather index_select take_along_dim".split())
@rule(*"double half float bfloat16 to type cuda cpu type_as prod min amin flip roll".split())
@rule(*"view reshape flatten squeeze unsqueeze transpose permute expand expand_as".split())
@rule(*"movedim swapaxes t T mT view_as unflatten detach alias".split())
def _kept(operation: Operation) -> Edge | None:
    return edging.given(operation)


@rule("rows", "select", "index", "diagonal", "narrow", "masked_select")
def _part(operation: Operation) -> Edge | None:
    given = edging.given(operation)
    if given is not None and given.kind is EdgeKind.INDICES and edging.is_from_start(operation):
        return given
    return None if given is not None and given.kind in _PLACED else given


@rule("pow")
def _power(operation: Operation) -> Edge | None:
    exponent = edging.number(edging.second(operation))
    return edging.given(operation) if exponent is not None and exponent > 0 else None


@rule("cat", "stack", "concat")
def _joined(operation: Operation) -> Edge | None:
    first = next(iter(operation.inputs.values()), NONE)
    items = tensors.flatten(operation.machine, first)
    found = [edging.edge(operation, item) for item in items]
    kinds = {edge.kind if edge is not None else None for edge in found}
    return found[0] if len(kinds) == 1 else None


@rule("mul", "rmul", "multiply")
def _product(operation: Operation) -> Edge | None:
    factor, given = edging.number(edging.second(operation)), edging.given(operation)
    if factor is not None and given is not None:
        if given.kind is EdgeKind.ONES:
            return replace(given, detail=(factor,))
        if given.kind is EdgeKind.GRAM:
            return replace(given, detail=() if factor > 0 else ("minus",))
        return given if factor and given.kind is not EdgeKind.TRIANGLE else None
    if given is not None and operation.inputs.get("input") == edging.second(operation):
        return given if given.kind in ZEROS else None
    return outer(operation) or _conjunction(operation) or _infinite(operation)


@rule("and", "bitwise_and", "logical_and", "or", "bitwise_or", "logical_or")
def _combined(operation: Operation) -> Edge | None:
    return outer(operation) or _conjunction(operation)


def _conjunction(operation: Operation) -> Edge | None:
    """Conditions that hold together, or one of which holds."""
    one, other = edging.given(operation), edging.other(operation)
    if one is None or other is None or {one.kind, other.kind} != {EdgeKind.FLAGS}:
        return None
    usual = one.usual if one.usual is other.usual else None
    return replace(one, origins=one.origins | other.origins, usual=usual)


@rule("add", "radd")
def _sum(operation: Operation) -> Edge | None:
    one, other = edging.given(operation), edging.other(operation)
    if edging.number(edging.second(operation)) == 0:
        return one
    for edge in (one, other):
        if edge is not None and edging.number(edging.second(operation)) is None:
            if edge.kind is EdgeKind.MASKED or (edge.kind is EdgeKind.GRAM and edge.detail):
                return edge
            if whole(edge, minus_infinity=True):
                return replace(edge, kind=EdgeKind.MASKED)
    if one is not None and other is not None and {one.kind, other.kind} <= COUNTED:
        terms = (*edges.counted(one), *edges.counted(other))
        if _are_all(terms):
            return None
        counts = {one.kind, other.kind} == {EdgeKind.COUNT}
        usual = (one.usual and other.usual) if counts else None
        origins = one.origins | other.origins
        return replace(one, kind=EdgeKind.COUNT, origins=origins, detail=terms, usual=usual)
    return _infinite(operation)


def _are_all(terms: tuple[object, ...]) -> bool:
    """Whether counts are those of each of two cases with each of two others, as hits and misses.

    One of them holds, then, wherever they are counted.
    """
    pairs = [term for term in terms if isinstance(term, frozenset) and len(term) == 2]
    cases = frozenset().union(*pairs)
    if len(pairs) != len(terms) or len(set(pairs)) != 4 or len(cases) != 4:
        return False
    return all(sum(case in pair for pair in pairs) == 2 for case in cases)


@rule("sub", "subtract")
def _difference(operation: Operation) -> Edge | None:
    if edging.same_spread(operation):
        return edging.brings(operation, EdgeKind.TWIN)
    subtracted = edging.other(operation)
    if subtracted is not None and subtracted.kind is EdgeKind.GRAM and not subtracted.detail:
        return replace(subtracted, detail=("minus",))
    if edging.number(edging.second(operation)) == 0:
        return edging.given(operation)
    return _infinite(operation)


def _infinite(operation: Operation) -> Edge | None:
    """What is infinite, or no number, is so still whatever is added to it or multiplied with it."""
    both = (edging.given(operation), edging.other(operation))
    infinite = (edge for edge in both if edge is not None and edge.kind is EdgeKind.INFINITE)
    return next(infinite, None)


@rule("iadd", "isub")
def _added(operation: Operation) -> Edge | None:
    return _infinite(operation)


@rule("rsub")
def _complement(operation: Operation) -> Edge | None:
    """``1 - x``."""
    given = edging.given(operation)
    infinite = _infinite(operation)
    if given is None or infinite is not None or edging.number(edging.second(operation)) != 1:
        return infinite
    if given.kind is EdgeKind.SATURATED:
        return replace(given, kind=EdgeKind.PROBABILITY, detail=(COMPLEMENT,))
    if given.kind is EdgeKind.PROBABILITY:
        return None if given.detail else replace(given, detail=(COMPLEMENT,))
    return turned(given)


@rule("sum", "mean", "nansum", "nanmean", "count_nonzero")
def _reduced(operation: Operation) -> Edge | None:
    given = edging.given(operation)
    if given is None:
        return None
    if given.kind in _OF_PARTS:
        # Who cuts off expects some values below zero, but hardly all of them.
        return replace(given, kind=EdgeKind.REDUCED) if CUT not in given.detail else None
    if given.kind is EdgeKind.COUNT:
        # All counts of rows together are those of rows that each have something to count.
        return replace(given, usual=None if given.usual is None else _is_of_rows(operation))
    if given.kind is EdgeKind.FLAGS:
        usual = True if given.usual and _is_of_rows(operation) else None
        return replace(given, kind=EdgeKind.COUNT, usual=usual)
    if given.kind is EdgeKind.POSITIONS:
        # Of a whole batch some are below their lengths.
        rows = TURNED not in given.detail and _is_of_rows(operation)
        return replace(given, kind=EdgeKind.COUNT, usual=True) if rows else None
    return (
        given
        if given.kind is EdgeKind.TWIN and not _DIMENSIONS.isdisjoint(operation.inputs)
        else None
    )


def _is_of_rows(operation: Operation) -> bool:
    """Whether a result is left for each row: the last of several dimensions are reduced.

    What is reduced along the first one is a batch, and has a result for each of its columns.
    """
    dims = next((operation.inputs[name] for name in _DIMENSIONS & operation.inputs.keys()), NONE)
    if dims in {NONE, Const(0)}:
        return False
    many = len(dims.items) if isinstance(dims, Tuple) else 1
    return shapes.rank(shapes.of(operation)) != many


@rule("truediv", "div", "divide", "true_divide", "rtruediv")
def _quotient(operation: Operation) -> Edge | None:
    reverse = operation.name == "rtruediv"
    divisor = edging.given(operation) if reverse else edging.other(operation)
    if divisor is not None and divisor.kind in ZEROS:
        return edging.brings(operation, EdgeKind.INFINITE, divisor.kind)
    given = edging.given(operation)
    if reverse or given is None:
        return None
    lasts = edging.number(edging.second(operation)) or given.kind is EdgeKind.INFINITE
    return given if lasts else None


@rule("log", "log2", "log10")
def _logarithm(operation: Operation) -> Edge | None:
    given = edging.given(operation)
    if given is not None and given.kind in ZEROS:
        return edging.brings(operation, EdgeKind.INFINITE)
    return None
