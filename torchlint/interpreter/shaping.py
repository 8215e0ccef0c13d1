"""Shaping: the shape of an operation's result, by the name of the operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import shapes
from torchlint.interpreter.shapes import MORE, broadcast, number, of, position
from torchlint.interpreter.values import Const, Sequence, Tensor, Tuple
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Shape, Value

_SAME = frozenset(
    "relu relu6 sigmoid tanh softmax log_softmax softmin softplus gelu silu elu selu celu mish abs "
    "leaky_relu prelu hardtanh hardswish hardsigmoid logsigmoid dropout dropout2d alpha_dropout "
    "gumbel_softmax softsign clone contiguous detach cuda cpu to type type_as alias exp log log1p "
    "log2 sqrt rsqrt square neg round floor ceil trunc sign clamp clip clamp_min clamp_max "
    "nan_to_num batch_norm layer_norm group_norm instance_norm masked_fill cumsum cumprod sort "
    "normalize logical_not isnan isinf isfinite reciprocal sin cos erf requires_grad_ flip roll "
    "float double half bfloat16 long int short byte char bool bernoulli argsort tril triu "
    "rand_like randn_like zeros_like ones_like full_like empty_like randint_like expm1 "
    "identity local_response_norm bitwise_not".split()
)
_PAIRWISE = frozenset(
    "add radd iadd sub rsub isub subtract mul rmul imul multiply div divide true_divide truediv "
    "rtruediv itruediv pow rpow eq ne lt le gt ge greater less greater_equal less_equal maximum "
    "minimum logical_and logical_or logical_xor and or xor floordiv mod fmod remainder "
    "bitwise_and bitwise_or where isclose xlogy atan2".split()
)
_REDUCTIONS = frozenset(
    "sum mean prod max min amax amin argmax argmin any all norm std var median mode logsumexp "
    "nansum nanmean count_nonzero vector_norm nanmedian".split()
)
_POOLS = {"1d": 1, "2d": 2, "3d": 3}


def result(operation: Operation) -> Shape | None:
    """The shape of an operation's result; None where it is not known."""
    name = operation.name
    if name in _SAME:
        return of(operation)
    if name in _PAIRWISE:
        first, *others = _operands(operation)
        shape = shapes.of_value(operation.machine, first)
        for value in others:
            shape = broadcast(shape, shapes.of_value(operation.machine, value))
        return shape
    if name in _REDUCTIONS:
        return _reduced(operation)
    transfer = _TRANSFERS.get(name)
    if transfer is not None:
        return transfer(operation)
    if generated.loss_function(f"torch.nn.functional.{name}") is not None:
        unreduced = operation.inputs.get("reduction") == Const("none")
        return broadcast(of(operation), of(operation, "target")) if unreduced else ()
    return None


def _operands(operation: Operation) -> list[Value]:
    skipped = {"alpha", "out", "rounding_mode", "rtol", "atol"}
    return [value for name, value in operation.inputs.items() if name not in skipped]


def _reduced(operation: Operation) -> Shape | None:
    shape = of(operation)
    asked = operation.inputs.get("dim", operation.inputs.get("axis"))
    if asked is None and operation.name in {"max", "min"}:
        other = operation.inputs.get("other")
        if other is not None and isinstance(operation.machine.get(other), Tensor):
            return broadcast(shape, shapes.of_value(operation.machine, other))
        asked = other
    if asked is None or asked == Const(None):
        return ()
    dims = shapes.sizes(operation.machine, [asked])
    if dims is None or any(not isinstance(dim, int) for dim in dims):
        return None
    numbers = [dim for dim in dims if isinstance(dim, int)]
    return shapes.reduced(shape, numbers, keep=shapes.keeps(operation))


def _rest(operation: Operation) -> list[Value]:
    """What is given after the tensor, in order."""
    return list(operation.inputs.values())[1:]


def _view(operation: Operation) -> Shape | None:
    return shapes.viewed(of(operation), shapes.sizes(operation.machine, _rest(operation)))


def _like_other(operation: Operation) -> Shape | None:
    return of(operation, "other")


def _expand(operation: Operation) -> Shape | None:
    shape, wanted = of(operation), shapes.sizes(operation.machine, _rest(operation))
    if wanted is None or -1 not in wanted:
        return wanted
    if shape is None or not shapes.is_whole(shape):
        return tuple(None if size == -1 else size for size in wanted)
    added = len(wanted) - len(shape)
    pairs = zip(wanted, (*(None,) * added, *shape), strict=False)
    return tuple(was if size == -1 else size for size, was in pairs)


def _squeeze(operation: Operation) -> Shape | None:
    shape = of(operation)
    if shape is None:
        return None
    if "dim" not in operation.inputs:
        if not shapes.is_whole(shape) or None in shape:
            return None
        return tuple(dim for dim in shape if dim != 1)
    dim = number(operation, "dim")
    at = position(shape, dim) if dim is not None else None
    if at is None or shape[at] is None:
        return None
    left = (*shape[:at], *shape[at + 1 :]) if shape[at] == 1 else shape
    return left if left != (MORE,) else None


def _unsqueeze(operation: Operation) -> Shape | None:
    shape, dim = of(operation), number(operation, "dim")
    if shape is None or dim is None:
        return (MORE, 1) if dim == -1 else None
    if not shapes.is_whole(shape):
        return (*shape, 1) if dim == -1 else None
    at = dim if dim >= 0 else len(shape) + 1 + dim
    return (*shape[:at], 1, *shape[at:])


def _flatten(operation: Operation) -> Shape | None:
    shape = of(operation)
    start = number(operation, "start_dim", "_1")
    start = (1 if operation.layer else 0) if start is None else start
    end = number(operation, "end_dim", "_2")
    if end is not None and end != -1:
        return None
    if shape is None or not shapes.is_whole(shape):
        return (None,) * (start + 1) if start in {0, 1} else None
    if start >= len(shape):
        return shape
    return (*shape[:start], shapes.viewed(shape[start:], (-1,))[0])  # type: ignore[index]


def _transpose(operation: Operation) -> Shape | None:
    shape = of(operation)
    pair = shapes.sizes(operation.machine, _rest(operation))
    if operation.name in {"t", "T", "mT"}:
        pair = (-2, -1) if shape is not None and len(shape) > 1 else None
    if shape is None or pair is None or len(pair) != 2:
        return None
    places = [position(shape, dim) for dim in pair if isinstance(dim, int)]
    if len(places) < 2 or places[0] is None or places[1] is None:
        return None
    swapped = list(shape)
    swapped[places[0]], swapped[places[1]] = swapped[places[1]], swapped[places[0]]
    return tuple(swapped)


def _permute(operation: Operation) -> Shape | None:
    shape, order = of(operation), shapes.sizes(operation.machine, _rest(operation))
    if shape is None or order is None:
        return None if order is None else (None,) * len(order)
    return tuple(shapes.size(shape, dim) if isinstance(dim, int) else None for dim in order)


def _item(operation: Operation) -> Shape | None:
    index = operation.inputs.get("index", Const(0))
    return shapes.indexed(operation.machine, of(operation), index)


def _linear(operation: Operation) -> Shape | None:
    width = number(operation, "out_features")
    if width is None:
        weight = of(operation, "weight")
        found = weight[0] if weight is not None and shapes.rank(weight) == 2 else None
    else:
        found = width
    shape = of(operation)
    return (*shape[:-1], found) if shape else (MORE, found)


def _embedding(operation: Operation) -> Shape | None:
    width, shape = number(operation, "embedding_dim"), of(operation)
    return (*shape, width) if shape is not None else (MORE, width)


def _one_hot(operation: Operation) -> Shape | None:
    shape = of(operation, "tensor")
    classes = number(operation, "num_classes")
    return (*(shape if shape is not None else (MORE,)), classes)


def _convolution(operation: Operation) -> Shape | None:
    shape, channels = of(operation), number(operation, "out_channels")
    spatial = next((n for end, n in _POOLS.items() if operation.name.endswith(end)), 2)
    if shape is None or shapes.rank(shape) != spatial + 2:
        return None
    return (shape[0], channels, *((None,) * spatial))


def _pooled(operation: Operation) -> Shape | None:
    shape = of(operation)
    spatial = next((n for end, n in _POOLS.items() if operation.name.endswith(end)), 2)
    last: Shape = (None,) * spatial
    if operation.name.startswith("adaptive"):
        asked = operation.inputs.get("output_size")
        wanted = shapes.sizes(operation.machine, [asked]) if asked is not None else None
        if wanted is not None:
            last = wanted * spatial if len(wanted) == 1 else wanted
    if shape is None or len(shape) < spatial:
        return (MORE, *last)
    return (*shape[:-spatial], *last)


def _product(operation: Operation) -> Shape | None:
    first, *others = _operands(operation)
    one = shapes.of_value(operation.machine, first)
    other = shapes.of_value(operation.machine, others[0]) if others else None
    if operation.name == "rmatmul":
        one, other = other, one
    if other is None or shapes.rank(other) is None or len(other) < 2:
        return None
    if one is None or (len(other) > 2 and shapes.rank(one) != len(other)):
        return (MORE, other[-1]) if len(other) == 2 else None
    return (*one[:-1], other[-1])


def _joined(operation: Operation) -> Shape | None:
    values = list(operation.inputs.values())
    record = operation.machine.get(values[0]) if values else None
    items: tuple[Value, ...] = ()
    if values and isinstance(values[0], Tuple):
        items = values[0].items
    elif isinstance(record, Sequence) and record.rest is None:
        items = record.items
    found = [shapes.of_value(operation.machine, item) for item in items]
    dim = number(operation, "dim")
    dim = 0 if dim is None else dim
    first = found[0] if found else None
    if first is None or any(shapes.rank(shape) != len(first) for shape in found):
        return None
    if operation.name == "stack":
        at = dim if dim >= 0 else len(first) + 1 + dim
        return (*first[:at], len(items), *first[at:])
    at_ = position(first, dim)
    if at_ is None:
        return None
    along = [shapes.size(shape, dim) for shape in found]
    total = sum(along) if all(isinstance(n, int) for n in along) else None  # type: ignore[arg-type]
    return (*first[:at_], total, *first[at_ + 1 :])


def _gathered(operation: Operation) -> Shape | None:
    return of(operation, "index")


def _topk(operation: Operation) -> Shape | None:
    shape, count, dim = of(operation), number(operation, "k"), number(operation, "dim")
    at = position(shape, -1 if dim is None else dim)
    if shape is None or at is None:
        return None
    return (*shape[:at], count, *shape[at + 1 :])


_TRANSFERS: dict[str, Callable[[Operation], Shape | None]] = {
    **dict.fromkeys(("view", "reshape"), _view),
    **dict.fromkeys(("expand", "broadcast_to"), _expand),
    **dict.fromkeys(("view_as", "reshape_as", "expand_as"), _like_other),
    **dict.fromkeys(("flatten", "ravel"), _flatten),
    **dict.fromkeys(("transpose", "swapaxes", "swapdims", "t", "T", "mT"), _transpose),
    **dict.fromkeys(("rows", "select", "item"), _item),
    **dict.fromkeys(("conv1d", "conv2d", "conv3d"), _convolution),
    **dict.fromkeys(("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"), _convolution),
    **dict.fromkeys(
        [
            f"{kind}_pool{n}d"
            for kind in ("max", "avg", "adaptive_avg", "adaptive_max")
            for n in "123"
        ],
        _pooled,
    ),
    **dict.fromkeys(("matmul", "rmatmul", "mm", "bmm"), _product),
    **dict.fromkeys(("cat", "concat", "stack"), _joined),
    "squeeze": _squeeze,
    "unsqueeze": _unsqueeze,
    "permute": _permute,
    "linear": _linear,
    "embedding": _embedding,
    "one_hot": _one_hot,
    "gather": _gathered,
    "take_along_dim": _gathered,
    "topk": _topk,
}
