"""Operations that are computed for each element: of one tensor, or of several that broadcast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.shaping.mismatch import Why

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.shaping.request import Request

SAME = frozenset(
    "relu relu6 sigmoid tanh softplus gelu silu elu selu celu mish abs "
    "leaky_relu hardtanh hardswish hardsigmoid logsigmoid dropout dropout1d dropout2d dropout3d "
    "alpha_dropout feature_alpha_dropout hardshrink softshrink tanhshrink threshold rrelu "
    "softsign clone contiguous detach cuda cpu to type type_as alias exp log log1p "
    "log2 log10 sqrt rsqrt square neg round floor ceil trunc sign clamp clip clamp_min clamp_max "
    "nan_to_num logical_not isnan isinf isfinite reciprocal sin cos "
    "tan erf requires_grad_ float double half bfloat16 long int short byte char bool bernoulli "
    "rand_like randn_like zeros_like ones_like full_like empty_like randint_like expm1 "
    "identity bitwise_not frac asin acos atan sinh cosh asinh acosh atanh logit positive "
    "absolute negative erfinv digamma lgamma sgn angle fill zero tril triu "
    "index_fill masked_scatter msort fliplr flipud bucketize".split()
)
ALONG = frozenset(
    "softmax log_softmax softmin cumsum cumprod sort argsort logcumsumexp cummax "
    "cummin renorm normalize".split()
)
"""What works along a dimension, and leaves the shape as it is."""

PAIRWISE = frozenset(
    "add radd sub rsub subtract mul rmul multiply div divide true_divide truediv rtruediv pow rpow "
    "eq ne lt le gt ge greater less greater_equal less_equal not_equal maximum minimum logical_and "
    "logical_or logical_xor and or xor floordiv rfloordiv floor_divide mod rmod fmod remainder "
    "bitwise_and bitwise_or bitwise_xor where isclose xlogy atan2 arctan2 hypot fmax fmin lerp "
    "addcmul addcdiv broadcast_tensors ldexp float_power copysign heaviside logaddexp".split()
)
"""What broadcasts all that it is given."""

EACH = SAME | PAIRWISE
"""What computes each number of its result from one of each operand."""

IN_PLACE = frozenset("iadd isub imul itruediv ipow ifloordiv imod iand ior ixor".split())
"""What broadcasts the other operand to the first."""


def same(request: Request) -> Shape | None:
    """The shape that is given."""
    return request.shape()


def along(request: Request) -> Shape | None:
    """The shape that is given, for what works along a dimension that there has to be."""
    default = 1 if request.name == "normalize" else None
    dim, shape = request.number("dim", default=default), request.shape()
    if dim is not None:
        place(request, shape, dim)
    return shape


def rolled(request: Request) -> Shape | None:
    """The shape that is given, for what moves elements along dimensions that there are."""
    asked, shape = request.value("dims"), request.shape()
    for dim in (request.sizes([asked]) or ()) if asked is not None else ():
        if isinstance(dim, int):
            place(request, shape, dim)
    return None if shape == () else shape


def place(request: Request, shape: Shape | None, dim: int, *, operand: str = "input") -> int | None:
    """Where a dimension stands, which there has to be; a number may be taken for a single one."""
    rank = shapes.rank(shape)
    if rank is not None and not -max(rank, 1) <= dim < max(rank, 1):
        request.refuse(Why.RANGE, operand, wanted=rank, given=dim, by="dim")
    return shapes.position(shape, dim)


def pairwise(request: Request) -> Shape | None:
    """The shape that all operands broadcast to."""
    if request.name == "where" and len(request.inputs) < 3:
        return None
    if request.operation.label.endswith("_"):
        return in_place(request)
    (first, value), *others = request.operands()
    shape = request.shape_of(value)
    before = first
    for name, other in others:
        shape = broadcast(request, shape, request.shape_of(other), before, name)
        before = name
    return shape


def masked(request: Request) -> Shape | None:
    """The shape that a tensor and the mask on it broadcast to."""
    return broadcast(request, request.shape(), request.shape("mask"), "input", "mask")


def broadcast(
    request: Request, one: Shape | None, other: Shape | None, operand: str, by: str
) -> Shape | None:
    """The shape that two shapes broadcast to."""
    clash = shapes.clash(one, other)
    if clash is not None:
        request.refuse(
            Why.BROADCAST, operand, wanted=clash.other, given=clash.one, dim=clash.dim, by=by
        )
    return shapes.broadcast(one, other)


def in_place(request: Request) -> Shape | None:
    """The shape of the first operand, which the other may not make larger."""
    (first, value), *others = request.operands()
    shape = request.shape_of(value)
    for name, other in others:
        given = request.shape_of(other)
        broadcast(request, shape, given, first, name)
        into(request, shape, given, first, name)
    return shape


def into(
    request: Request, shape: Shape | None, given: Shape | None, operand: str, name: str
) -> None:
    """What is put into a tensor, or added in place, may not be larger than it."""
    if shape is None or given is None or not (shapes.is_whole(shape) and shapes.is_whole(given)):
        return
    rank = len(given)
    if rank > len(shape):
        request.refuse(Why.RANK, name, wanted=len(shape), given=rank, by=operand)
    for at in range(1, rank + 1):
        if shape[-at] == 1 and given[-at] is not None and dimensions.at_least(given[-at], 2):
            request.refuse(Why.SIZE, name, wanted=1, given=given[-at], dim=-at, by=operand)


def drawn(request: Request) -> Shape | None:
    """``gumbel_softmax``: the shape of the logits."""
    dim, shape = request.number("dim", default=-1), request.shape("logits")
    if dim is not None:
        place(request, shape, dim, operand="logits")
    return shape


def chosen(request: Request) -> Shape | None:
    """``masked_select``: of what a mask broadcasts with, there is no telling how many."""
    broadcast(request, request.shape(), request.shape("mask"), "input", "mask")
    return (None,)


def prelu(request: Request) -> Shape | None:
    """The shape that is given, with as many channels as there are slopes."""
    slopes = request.dim("num_parameters", default=1) if request.layer else None
    if slopes is not None and dimensions.at_least(slopes, 2):
        request.fit("input", (None, slopes, shapes.MORE), by="num_parameters")
    return request.shape()


def glu(request: Request) -> Shape | None:
    """The shape that is given, with one dimension halved."""
    dim, shape = request.number("dim", default=-1), request.shape()
    at = place(request, shape, dim) if dim is not None else None
    if shape is None or at is None or at >= len(shape):
        return None
    if dimensions.indivisible([shape[at]], [2]):
        request.refuse(Why.SIZE, wanted=2, given=shape[at], dim=at, by="dim")
    return (*shape[:at], dimensions.floor_divide(shape[at], 2), *shape[at + 1 :])


def one_hot(request: Request) -> Shape | None:
    """A dimension more, for the classes."""
    shape, classes = request.shape("tensor"), request.dim("num_classes")
    known = None if classes == -1 else classes
    return (*(shape if shape is not None else (shapes.MORE,)), known)
