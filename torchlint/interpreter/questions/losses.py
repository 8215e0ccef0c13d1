"""What losses are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, dtypes, shapes
from torchlint.interpreter.cuts import By
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.losses import Chosen, Crossed, LossCall, Normalisation
from torchlint.interpreter.graphs import back
from torchlint.interpreter.holdings import owners_of
from torchlint.interpreter.layouts import TURNING
from torchlint.interpreter.multiples import short
from torchlint.interpreter.questions import cuts
from torchlint.interpreter.questions.walks import walks
from torchlint.interpreter.ranges import Kind
from torchlint.interpreter.reach import passes_by
from torchlint.interpreter.roles import Role
from torchlint.interpreter.shaping.elementwise import EACH
from torchlint.interpreter.values import Certainty, Const
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.ranges import Range
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node, Spot, Tensor


_EPSILON = 0.01
"""How far above zero the logarithm of a probability may be for an epsilon that was added to it."""


def losses(trace: Trace, kind: str) -> Iterator[LossCall]:
    """The computations of a loss, by the name of its functional."""
    return (loss for loss in trace.of(LossCall) if loss.kind == kind)


def crossed(trace: Trace) -> Iterator[tuple[Crossed, list[Crossed]]]:
    """Tables of all predictions with all targets of which a loss is the mean or the sum.

    Each loss once: the first of its tables, and the others.
    """
    tables = {event.spot: event for event in trace.of(Crossed)}
    for walk in walks(trace) if tables else ():
        starts = [walk.node] if walk.node is not None else []
        passed = [*back(starts, _keeps_all)]
        reached = {node.spot for node in passed}
        found = [tables.pop(spot) for spot in [*tables] if spot in reached]
        if not any(short(node.op) == "sum" for node in passed):
            found = [each for each in found if not _is_of_one_number(each)]
        if found:
            yield found[0], found[1:]


def _is_of_one_number(table: Crossed) -> bool:
    """Whether all of one side are the same: with how many of them the other meets is no matter.

    That is so of the mean over the table, and not of its sum.
    """
    ranges = (table.column.range, table.row.range)
    return any(each is not None and each.low == each.high for each in ranges)


def _keeps_all(node: Node) -> bool:
    """Whether an operation works on each number by itself, or makes one number of all."""
    name = short(node.op)
    if name in {"max", "min"}:
        return len(node.parents) > 1
    return name in EACH or name in {"mean", "sum", "join"}


def not_logarithms(range_: Range | None) -> str:
    """What values are that are no log-probabilities; empty where they may be."""
    if range_ is None or range_.kind in {Kind.LOG_PROBABILITIES, Kind.SPREAD}:
        return ""
    if range_.kind is Kind.PROBABILITIES:
        return "probabilities"
    if range_.kind is Kind.UNIT_INTERVAL:
        return "values in [0, 1]"
    if range_.kind is Kind.BOUNDED and range_.low >= 0 and range_.high > _EPSILON:
        return "values that are never negative"
    return "raw scores" if range_.tight and range_.high > _EPSILON else ""


def probabilities_twice(trace: Trace) -> Iterator[tuple[Normalisation, Range]]:
    """Normalisations of what the same dimension was normalised along before."""
    for event in trace.of(Normalisation):
        before = event.input.range
        if before is None or not before.normalised:
            continue
        if event.name == "sigmoid":
            again = before.kind is not Kind.LOG_PROBABILITIES
        elif event.name == "log":
            again = before.kind is Kind.LOG_PROBABILITIES
        else:
            again = before.kind is not Kind.UNIT_INTERVAL and _same_dim(event, before)
        if again:
            yield event, before


def _same_dim(event: Normalisation, before: Range) -> bool:
    """Whether a softmax is along the dimension that an earlier one was along, as far as is seen."""
    dim = event.dim.value if isinstance(event.dim, Const) else None
    if not isinstance(dim, int) or before.dim is None or dim == before.dim:
        return isinstance(dim, int) and before.dim is not None
    at = shapes.position(event.input.shape, dim)
    if at is not None:
        return at == shapes.position(event.input.shape, before.dim)
    # Of a shape that is not known, the last dimension is mostly the second.
    return {dim, before.dim} == {1, -1}


def wrong_classes(loss: LossCall) -> str:
    """What is wrong with the target of a loss over classes; empty where nothing is, or is seen.

    Indices are int64 with one dimension less than the scores; probabilities are floats of the
    same shape, and cross entropy alone takes them.
    """
    if loss.target is None:
        return ""
    dtype, shape = loss.target.dtype, loss.target.shape
    ranks = shapes.rank(loss.input.shape), shapes.rank(shape)
    if dtype in _NARROW:
        return f"class indices have to be int64, and these are {dtype}"
    if dtypes.is_float(dtype) and (loss.kind == "nll_loss" or _fewer(ranks)):
        return f"class indices have to be int64, and these are {_said(dtype)}"
    if None in ranks:
        return _one_hot(loss.input, shape) if dtype == "int64" else ""
    if ranks[0] != ranks[1] or ranks[0] in {0, 1} or dtype is None:
        return ""
    if shapes.size(shape, 1) == 1 and shapes.size(loss.input.shape, 1) != 1:
        return "class indices have one dimension less than the scores, and these have one of size 1"
    return _ONE_HOT if dtypes.is_integer(dtype) else ""


_NARROW = frozenset({"bool", "int8", "int16", "int32"})
_ONE_HOT = (
    "a target in the shape of the scores is taken for probabilities, which cannot be integers"
)


def _fewer(ranks: tuple[int | None, int | None]) -> bool:
    """Whether a target surely has one dimension less than the scores, as indices have."""
    return ranks[0] is not None and ranks[1] is not None and ranks[0] - 1 == ranks[1]


def _one_hot(given: Tensor, shape: Shape | None) -> str:
    """A target of an unknown rank that ends in the number of classes."""
    classes = shapes.size(given.shape, -1)
    alike = isinstance(classes, int) and classes > 1 and classes == shapes.size(shape, -1)
    return _ONE_HOT if alike and shapes.rank(given.shape) == 2 else ""


def _said(dtype: str | None) -> str:
    return "floats" if dtype == dtypes.FLOATING else str(dtype)


def swapped(trace: Trace) -> Iterator[tuple[LossCall, str]]:
    """Losses that are given the prediction as their target, and the target as their input.

    What shows it goes with each.
    """
    derived = "the second depends on parameters, and the first does not"
    for loss in trace.of(LossCall):
        if loss.target is None or loss.kind not in _ONE_SIDED:
            continue
        given, target = loss.input, loss.target
        ranks = shapes.rank(target.shape), shapes.rank(given.shape)
        if loss.kind in _OF_CLASSES and dtypes.is_integer(given.dtype):
            if dtypes.is_float(target.dtype) or target.node is not None:
                yield loss, derived
        elif loss.kind in _OF_CLASSES and ranks[1] and _fewer(ranks):
            yield loss, "the second has one dimension more than the first, as scores have"
        elif (
            _is_data(trace, loss)
            and (given.range is None or given.range.kind in {Kind.BOUNDED, Kind.SPREAD})
            and target.node is not None
            and target.node.certainty is Certainty.SURE
            and _holds_parameters(trace, target.node)
        ):
            yield loss, derived


def _is_data(trace: Trace, loss: LossCall) -> bool:
    """Whether an input comes from no parameters, or from nothing that leads to the target's."""
    assert loss.target is not None
    if loss.input.node is None:
        return not loss.input.cuts
    behind, _ = owners_of(loss.target.node)
    later = (each.escaped for each in trace.of(Backward) if each.index > loss.index)
    escaped = next(later, trace.escaped)
    return bool(behind) and passes_by(trace, loss.input.node, behind, escaped)


_OF_CLASSES = frozenset({"cross_entropy", "nll_loss"})
_ONE_SIDED = _OF_CLASSES | {"binary_cross_entropy", "binary_cross_entropy_with_logits"}
"""Losses whose value is another one with the arguments the other way round."""


def flat(trace: Trace) -> Iterator[tuple[Backward, Spot]]:
    """Backwards that give no parameter a gradient, for an operation that has none."""
    for backward in trace.of(Backward):
        if backward.node is None:
            found = [cut for tensor in backward.tensors for cut in tensor.cuts]
            if found and all(
                cut.by is By.WHOLE and _holds_parameters(trace, cut.of) for cut in found
            ):
                yield backward, found[0].spot
        elif (cut := cuts.between(trace, backward, By.WHOLE)) is not None:
            yield backward, cut.spot
        elif backward.node.certainty is Certainty.SURE:
            steps = _steps_between(trace, backward.node)
            if steps is not None:
                yield backward, steps


def _holds_parameters(trace: Trace, node: Node) -> bool:
    return any(known.owner is not None or known.op == "parameter" for known in trace.reach(node))


_STEPS = frozenset({"round", "floor", "ceil", "trunc", "fix", "sign", "sgn", "bernoulli"})
"""Operations whose gradient is zero everywhere, by the last part of their names."""


def _steps_between(trace: Trace, root: Node) -> Spot | None:
    """Where the one operation is applied by which alone a root reaches parameters; else None."""
    found: Spot | None = None
    for node in back([root], lambda node: not _is_step(node)):
        if node.opaque or node.op in {"parameter", "leaf"} or node.owner is not None:
            return None
        if _is_step(node) and _holds_parameters(trace, node):
            found = found or node.spot
    return found


def _is_step(node: Node) -> bool:
    return short(node.op) in _STEPS


def batch_normalised(trace: Trace) -> Iterator[tuple[Normalisation, str]]:
    """Softmaxes over the samples of a batch instead of the classes of each, and what shows it."""
    for event in trace.of(Normalisation):
        if not event.is_along_dim or (event.dim is None and event.demands):
            continue
        shape, given = event.input.shape, event.input.range
        rank = shapes.rank(shape)
        at = _first_of_three(event, rank)
        if at is None or rank is None or rank < 2 or shape is None:
            continue
        if shape[0] == shape[-1] and (shape[0] is not None or event.role is None):
            continue
        scores = given is not None and given.kind is Kind.SCORES
        if scores and dimensions.is_batch(shape[0]):
            yield event, "the first dimension is the batch that the loader gives"
        elif scores and event.role is Role.SAMPLES and (rank > 2 or _is_answer(trace, event)):
            yield event, "the layers before have taken the first dimension for the batch"
        elif any(
            _is_given(loss, event)
            for kind in ("nll_loss", "cross_entropy", *(["kl_div"] if scores else []))
            for loss in losses(trace, kind)
        ):
            yield event, "the loss that it goes into expects the samples there"


def _is_answer(trace: Trace, event: Normalisation) -> bool:
    """Whether a forward gives what was normalised, of several classes, and weights nothing by it.

    Weights of the instances of a bag, which a layer takes for samples as well, are used.
    """
    shape = event.input.shape
    if shape is None or shape[-1] == 1:
        return False
    ends = set(back(trace.results, lambda node: node.op == "join"))
    mine = {node for node in ends if node.spot == event.spot and node.op != "join"}
    others = ends - mine - {node for node in ends if node.op == "join"}
    return bool(mine) and mine.isdisjoint(back(others))


def otherwise_read(trace: Trace) -> Iterator[tuple[Normalisation, str]]:
    """Softmaxes over the first dimension of what is read along the second, and what does so."""
    along: dict[Spot, str] = {}
    for loss in losses(trace, "kl_div"):
        sides = [each.range for each in (loss.input, loss.target) if each is not None]
        dims = {side.dim: side.by for side in sides if side is not None and side.sole}
        if set(dims) == {0, 1}:
            along[dims[0]] = "the divergence compares it with what is normalised over the second"
    for chosen in trace.of(Chosen):
        if chosen.among.dim == 0 and chosen.dim == 1 and chosen.among.sole:
            along[chosen.among.by] = "the largest is then looked for along the second"
    for event in trace.of(Normalisation):
        if event.spot in along:
            yield event, along[event.spot]


def _is_given(loss: LossCall, event: Normalisation) -> bool:
    """Whether a loss is given what was normalised; of two dimensions, in the same order."""
    if loss.input.range is None or loss.input.range.by != event.spot:
        return False
    if loss.input.node is None or shapes.rank(event.input.shape) != 2:
        return True
    ends = [loss.input.node]
    return not any(
        node.op.removeprefix("Tensor.") in TURNING
        for node in back(ends, lambda node: node.spot != event.spot)
    )


def _first_of_three(event: Normalisation, rank: int | None) -> int | None:
    """0 where a softmax is along the first dimension: as is said, or as torch chooses of three."""
    dim = event.dim.value if isinstance(event.dim, Const) else None
    if event.dim is None:
        return 0 if rank == 3 else None
    if not isinstance(dim, int) or rank is None:
        return None
    return 0 if dim in {0, -rank} else None


_PARTS = Pattern(r"(?:Tensor\.)?(?:select|narrow|chunk|split|tensor_split|topk)$")


def over_one(trace: Trace) -> Iterator[tuple[Normalisation | LossCall, str, bool]]:
    """Softmaxes along a dimension of size one, those of losses too, and what they give.

    The flag tells of parts of a tensor, such as the heads of an attention, whose width is a
    setting: with another one there is more in them.
    """
    along = [event for event in trace.of(Normalisation) if event.is_along_dim]
    # What grows from round to round may begin with one.
    several = {event.spot for event in along if _length(event) != 1}
    for event in along:
        if event.spot not in several:
            part = event.input.node is not None and _PARTS.match(event.input.node.op) is not None
            yield event, "zeros" if event.name == "log_softmax" else "ones", part
    for loss in losses(trace, "cross_entropy"):
        if (shapes.rank(loss.input.shape) or 0) > 1 and shapes.size(loss.input.shape, 1) == 1:
            yield loss, "zeros", False


def _length(event: Normalisation) -> Dim:
    """How many values are normalised together."""
    dim = event.dim.value if isinstance(event.dim, Const) else None
    return shapes.size(event.input.shape, dim) if isinstance(dim, int) else None
