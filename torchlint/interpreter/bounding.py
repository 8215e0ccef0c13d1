"""Bounding: the range of an operation's result, given those of what it is applied to."""

from __future__ import annotations

import math
from math import inf
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import arithmetic
from torchlint.interpreter.ranges import JOINS, Kind, Range, hull, scores
from torchlint.interpreter.values import NONE, Tensor

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.ranges import Operation

    Bounds = tuple[float, float]

_KINDS = {
    "softmax": Kind.PROBABILITIES,
    "softmax2d": Kind.PROBABILITIES,
    "softmin": Kind.PROBABILITIES,
    "gumbel_softmax": Kind.PROBABILITIES,
    "sigmoid": Kind.UNIT_INTERVAL,
    "hardsigmoid": Kind.UNIT_INTERVAL,
    "expit": Kind.UNIT_INTERVAL,
    "log_softmax": Kind.LOG_PROBABILITIES,
}
_BOUNDS: dict[Kind, Bounds] = {
    Kind.PROBABILITIES: (0.0, 1.0),
    Kind.UNIT_INTERVAL: (0.0, 1.0),
    Kind.LOG_PROBABILITIES: (-inf, 0.0),
}
_SCORING = frozenset(
    "linear bilinear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d "
    "matmul mm addmm".split()
)
"""What gives scores, where one operand is a parameter as it is."""

# Smallest values of activations with a dip, rounded down.
_IMAGES: dict[str, Bounds] = {
    **dict.fromkeys("relu softplus abs square exp exp2 norm std var absolute".split(), (0.0, inf)),
    **dict.fromkeys("vector_norm cdist dist pairwise_distance count_nonzero".split(), (0.0, inf)),
    **dict.fromkeys("tanh softsign sin cos erf sign cosine_similarity".split(), (-1.0, 1.0)),
    **dict.fromkeys("rand rand_like bernoulli one_hot heaviside".split(), (0.0, 1.0)),
    **dict.fromkeys("zeros zeros_like new_zeros".split(), (0.0, 0.0)),
    **dict.fromkeys("ones ones_like new_ones".split(), (1.0, 1.0)),
    "logsigmoid": (-inf, 0.0),
    "relu6": (0.0, 6.0),
    "selu": (-1.7581, inf),
    "gelu": (-0.17, inf),
    "silu": (-0.2785, inf),
    "mish": (-0.3089, inf),
    "hardswish": (-0.375, inf),
}
_RECTIFIERS = frozenset({"relu", "relu6", "softplus"})
_KEEP = frozenset(
    "contiguous clone float double half bfloat16 to cuda cpu type type_as detach requires_grad_ "
    "nan_to_num alias".split()
)
_ARRANGE = frozenset(
    "view reshape flatten squeeze unsqueeze transpose permute expand expand_as movedim swapaxes t "
    "rows view_as reshape_as unflatten index_select unfold repeat moveaxis T mT ravel "
    "einops_rearrange einops_repeat".split()
)
"""What may number dimensions anew, but neither changes values nor chooses among those of a row."""

_CHOOSE = frozenset(
    "gather take select index max min amax amin median mode sort topk kthvalue mean nanmean roll "
    "flip cummax cummin narrow masked_select item take_along_dim diagonal max_pool1d max_pool2d "
    "max_pool3d adaptive_max_pool2d adaptive_avg_pool1d adaptive_avg_pool2d "
    "pixel_shuffle repeat_interleave tile rot90 chunk split unbind".split()
)
"""What chooses among values or averages them, so that rows no longer sum to what they did."""

_PICK = frozenset(
    "gather take select index sort topk roll flip narrow masked_select take_along_dim diagonal "
    "pixel_shuffle repeat_interleave tile rot90 chunk split unbind item".split()
)
"""What chooses among values without looking at them, or keeps them all."""

_PARTITION = frozenset({"split", "chunk", "narrow", "repeat_interleave"})
"""Those of them that leave each row as it is where they go along the first dimension."""

_DROP = frozenset(
    "dropout dropout2d dropout3d alpha_dropout feature_dropout interpolate upsample".split()
)
_TOTALS = frozenset({"sum", "nansum", "cumsum"})


def result(operation: Operation) -> Range | None:
    """The range of an operation's result; None where nothing is known of it."""
    name = operation.name
    given = operation.range("input")
    kind = _KINDS.get(name)
    if kind is not None:
        dim = operation.number("dim")
        at = int(dim) if dim is not None and math.isfinite(dim) else None
        tight = given is not None and given.tight
        return Range(kind, operation.spot, operation.label, *_BOUNDS[kind], tight, at)
    if name in _RECTIFIERS and given is not None and given.kind is Kind.SCORES:
        bounds = _IMAGES[name]
        return Range(Kind.RECTIFIED, operation.spot, operation.label, *bounds, given.tight)
    if name in _IMAGES:
        if name == "exp" and given is not None and given.kind is Kind.LOG_PROBABILITIES:
            return replace(given, kind=Kind.PROBABILITIES, low=0.0, high=1.0)
        return _image(operation, given)
    if name in _SCORING:
        return _scores(operation)
    transfer = _TRANSFERS.get(name)
    if transfer is not None:
        return transfer(operation, given)
    if name in JOINS:
        return _joined(operation)
    if given is None or name in _KEEP:
        return given
    if name in _ARRANGE:
        return replace(given, dim=None)
    if name in _CHOOSE:
        stays = given.kind is Kind.SCORES or (given.kind is Kind.SPREAD and name in _PICK)
        return given if stays or _goes_by_rows(operation, given) else _loose(given)
    if name in _DROP:
        return given if given.kind is Kind.SCORES else None
    return None


def _image(operation: Operation, given: Range | None) -> Range:
    """The range of a function that has bounds of its own, within which its inputs' may be less."""
    low, high = _IMAGES[operation.name]
    rising = _RISING.get(operation.name)
    if given is None or given.kind is Kind.SCORES:
        return operation.bounded(low, high, like=given)
    if rising is None:
        return operation.bounded(low, high)
    ends = (
        low if given.low == -inf else _end(rising, given.low, high),
        _end(rising, given.high, high),
    )
    return operation.bounded(*ends, like=given)


def _end(rising: Callable[[float], float], at: float, most: float) -> float:
    """The upper bound of a function that rises, which may be more than a float holds."""
    return most if at > _LARGE else rising(at)


_LARGE = 700.0
"""Of more than this the exponential is no float."""

_RISING: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "exp2": lambda value: 2.0**value,
    "tanh": math.tanh,
    "erf": math.erf,
    "relu": lambda value: max(value, 0.0),
    "relu6": lambda value: min(max(value, 0.0), 6.0),
    "softplus": lambda value: math.log1p(math.exp(value)),
    "softsign": lambda value: value / (1 + abs(value)),
}
"""Functions that rise with their argument, so that they take bounds to bounds."""


def _scores(operation: Operation) -> Range | None:
    """Values are anywhere where one operand is a parameter as it is, and not normalised first."""
    if operation.layer:
        return scores(operation)
    if any(map(operation.is_parameter, operation.inputs)):
        return scores(operation)
    return _cosines(operation) if operation.name in _PRODUCTS else None


_PRODUCTS = frozenset({"matmul", "mm"})


def _cosines(operation: Operation, _: Range | None = None) -> Range | None:
    """Inner products of what was normalised, which is along what is summed over as a rule."""
    found = [operation.range(name) for name in operation.inputs]
    is_unit = [one is not None and one.op == "normalize" for one in found]
    return operation.bounded(-1.0, 1.0) if len(found) == 2 and all(is_unit) else None


def _goes_by_rows(operation: Operation, given: Range) -> bool:
    """Whether values are parted along the first dimension, and each row stays what it was."""
    if operation.name not in _PARTITION or given.dim == 0:
        return False
    dim = operation.number("dim")
    return dim == 0 or (dim is None and operation.name in {"split", "chunk"})


def _loose(given: Range) -> Range:
    return replace(given, kind=Kind.BOUNDED, dim=None)


def _joined(operation: Operation) -> Range | None:
    from torchlint.interpreter import tensors

    first = next(iter(operation.inputs.values()), None)
    if first is None:
        return None
    records = [operation.machine.get(item) for item in tensors.flatten(operation.machine, first)]
    ranges = [record.range if isinstance(record, Tensor) else None for record in records]
    return hull(ranges)


def _root(operation: Operation, given: Range | None) -> Range | None:
    low = max(given.low, 0.0) if given is not None else 0.0
    high = math.sqrt(max(given.high, 0.0)) if given is not None else inf
    return operation.bounded(math.sqrt(low), high, like=given)


def _inverse(operation: Operation, given: Range | None) -> Range | None:
    if given is None or given.low < 0:
        return None
    low = 1 / given.high if given.high else 0.0
    return operation.bounded(low, 1 / given.low if given.low else inf)


def _log(operation: Operation, given: Range | None) -> Range | None:
    if given is None or given.high <= 0:
        return None
    if given.kind is Kind.PROBABILITIES:
        kind = Kind.LOG_PROBABILITIES
        return Range(kind, operation.spot, operation.label, -inf, 0.0, True, given.dim)
    low = math.log(given.low) if given.low > 0 else -inf
    return operation.bounded(low, math.log(given.high), like=given)


def _log1p(operation: Operation, given: Range | None) -> Range | None:
    if given is None or given.low < 0:
        return None
    return operation.bounded(math.log1p(given.low), math.log1p(given.high), like=given)


def _clamp(operation: Operation, given: Range | None) -> Range | None:
    low, high = operation.held("min"), operation.held("max")
    if given is None:
        return operation.bounded(-inf if low is None else low, inf if high is None else high)
    least, most = (-inf if low is None else low), (inf if high is None else high)
    # As torch does: where the bounds contradict each other, the upper one counts.
    low, high = (min(max(end, least), most) for end in (given.low, given.high))
    # A bound that is not known may be anywhere.
    asked = [end for end in ("min", "max") if operation.inputs.get(end, NONE) != NONE]
    known = all(operation.number(end) is not None for end in asked)
    if given.kind is Kind.SCORES:
        return operation.bounded(low, high, like=given if known else None)
    return replace(given, low=low, high=high, tight=given.tight and known)


def _hardtanh(operation: Operation, given: Range | None) -> Range | None:
    low, high = operation.number("min_val"), operation.number("max_val")
    low, high = -1.0 if low is None else low, 1.0 if high is None else high
    if given is not None:
        low, high = max(low, min(given.low, high)), min(high, max(given.high, low))
    return operation.bounded(low, high, like=given)


def _elu(operation: Operation, given: Range | None) -> Range | None:
    alpha = operation.number("alpha")
    return operation.bounded(-abs(1.0 if alpha is None else alpha), inf, like=given)


def _leaky(operation: Operation, given: Range | None) -> Range | None:
    if given is not None and (given.kind is Kind.SCORES or given.low >= 0):
        return given
    return None


def _total(operation: Operation, given: Range | None) -> Range | None:
    if given is None or given.kind is Kind.SCORES:
        return given
    low = given.low if given.low >= 0 else -inf
    return operation.bounded(low, given.high if given.high <= 0 else inf)


def _averaged(operation: Operation, given: Range | None) -> Range | None:
    """Pooling with padding: zeros come in."""
    if given is None or given.kind is Kind.SCORES:
        return given
    return operation.bounded(min(given.low, 0.0), max(given.high, 0.0))


def _extreme(operation: Operation, given: Range | None) -> Range | None:
    other = operation.range("other")
    if operation.name == "maximum":
        bounds = [r for r in (given, other) if r is not None]
        low = max((r.low for r in bounds), default=-inf)
        high = max(r.high for r in bounds) if len(bounds) == 2 else inf
    else:
        bounds = [r for r in (given, other) if r is not None]
        high = min((r.high for r in bounds), default=inf)
        low = min(r.low for r in bounds) if len(bounds) == 2 else -inf
    return operation.bounded(low, high) if bounds else None


def _where(operation: Operation, given: Range | None) -> Range | None:
    return hull([operation.range("input"), operation.range("other")])


def _filled(operation: Operation, given: Range | None) -> Range | None:
    value = operation.range("value")
    if given is None or value is None:
        return None
    if given.kind is Kind.SCORES:
        return given
    return operation.bounded(min(given.low, value.low), max(given.high, value.high))


def _full(operation: Operation, given: Range | None) -> Range | None:
    return operation.range("fill_value")


def _unit(operation: Operation, given: Range | None) -> Range | None:
    low = 0.0 if given is not None and given.low >= 0 else -1.0
    return operation.bounded(low, 1.0)


_TRANSFERS: dict[str, Callable[[Operation, Range | None], Range | None]] = {
    **arithmetic.TRANSFERS,
    **dict.fromkeys(("clamp", "clip", "clamp_min", "clamp_max"), _clamp),
    **dict.fromkeys(("leaky_relu", "prelu", "rrelu"), _leaky),
    **dict.fromkeys(("elu", "celu"), _elu),
    **dict.fromkeys(_TOTALS, _total),
    **dict.fromkeys(("avg_pool1d", "avg_pool2d", "avg_pool3d"), _averaged),
    **dict.fromkeys(("maximum", "minimum"), _extreme),
    **dict.fromkeys(("full", "full_like", "new_full"), _full),
    "sqrt": _root,
    "rsqrt": _inverse,
    "reciprocal": _inverse,
    "log": _log,
    "log1p": _log1p,
    "hardtanh": _hardtanh,
    "where": _where,
    "masked_fill": _filled,
    "normalize": _unit,
    "bmm": _cosines,
}
