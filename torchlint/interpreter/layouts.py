"""Layouts: how the elements of a result lie in memory, and views that this does not allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import choosing, dimensions, shapes, shaping, viewable
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.shapes import ViewRefused
from torchlint.interpreter.forms import GIVEN, PLAIN, Layout
from torchlint.interpreter.values import UNKNOWN, Const, Tensor, Tuple
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Value

TURNING = frozenset(
    "transpose swapaxes swapdims t T mT H mH adjoint permute movedim moveaxis".split()
)
"""What gives the same elements with the dimensions in another order."""

_COPYING = frozenset(
    "linear layer_norm softmax log_softmax cumsum cumprod matmul rmatmul bmm mm stack embedding "
    "one_hot repeat tile gather index_select tril triu roll topk".split()
)
"""What makes a tensor with one element after the other, whatever it is given."""

_IMAGES = frozenset(
    "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d batch_norm group_norm "
    "instance_norm max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d "
    "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d "
    "adaptive_max_pool2d adaptive_max_pool3d interpolate pad pixel_shuffle".split()
)
"""What keeps the channels last where they are so, and else copies."""

_REDUCING = frozenset("sum mean amax amin argmax argmin max min std var norm".split())
_EACH = frozenset(
    "relu relu6 sigmoid tanh softplus gelu silu elu selu celu mish abs leaky_relu hardtanh "
    "hardswish hardsigmoid dropout clone to cpu cuda float half double bfloat16 long int type exp "
    "log sqrt rsqrt square neg round clamp identity detach".split()
)
"""What is computed for each element where it lies."""

_PAIRS = frozenset("add sub mul div truediv pow radd rsub rmul rtruediv eq ne lt le gt ge".split())
_SAME = frozenset({"view", "reshape", "view_as", "reshape_as", "flatten", "ravel", "unflatten"})
_PARTS = frozenset({"rows", "select"})
"""Views that an index gives."""

NAMES = (
    TURNING | _COPYING | _IMAGES | _REDUCING | _EACH | _PAIRS | _SAME
    | _PARTS | {"unsqueeze", "squeeze", "contiguous", "argsort"}
)  # fmt: skip
"""The operations whose results' layout is known."""


def result(operation: Operation, shape: Shape | None) -> Layout | None:
    """The layout of a result of this shape; None where it is not known."""
    name = operation.name
    if "memory_format" in operation.inputs:
        return None
    if name in _COPYING or name == "contiguous":
        return PLAIN.layout
    value = operation.inputs.get("input")
    tensor = operation.machine.get(value) if value is not None else None
    layout = tensor.form.layout if isinstance(tensor, Tensor) and tensor.form is not None else None
    if name in _IMAGES:
        return None if operation.machine.trace.formatted else _of_images(layout)
    if layout is None or not isinstance(tensor, Tensor):
        return None
    if layout.strides is None and name not in TURNING | _PAIRS | _PARTS:
        return layout
    if name in _PAIRS:
        return _of_pair(operation, layout, tensor.shape, shape)
    if name in _SAME:
        return _viewed(operation, layout, tensor.shape, shape)
    if name in _EACH:
        return layout if layout.dense else None
    if name in _REDUCING:
        return Layout(sure=layout.sure) if layout.dense else None
    return _moved(operation, layout, tensor.shape)


def _of_images(layout: Layout | None) -> Layout | None:
    """What is not known to have its dimensions in another order is taken to have them in order."""
    if layout is None:
        return GIVEN.layout
    return layout if layout.strides is None else None


def _of_pair(
    operation: Operation, layout: Layout, before: Shape | None, shape: Shape | None
) -> Layout | None:
    """The first of two operands decides, unless it is the smaller one."""
    other: Value | None = operation.inputs.get("other", operation.inputs.get("exponent"))
    if isinstance(other, (Const, Number)):
        return layout if layout.dense else None
    record = operation.machine.get(other) if other is not None else None
    if not isinstance(record, Tensor):
        return None
    if layout.strides is None:
        form = record.form
        if form is not None and form.layout is not None and form.layout.strides is None:
            return Layout(sure=layout.sure and form.layout.sure)
        return layout if before is not None and before == shape else None
    return layout if layout.dense and before is not None and before == shape else None


def _viewed(
    operation: Operation, layout: Layout, before: Shape | None, shape: Shape | None
) -> Layout | None:
    """What comes of a view of turned dimensions, which may be refused, or else take a copy."""
    if layout.strides is None:
        return layout
    if before is None or shape is None or not shapes.is_whole(shape):
        return None
    wanted = shape if len(shape) > 1 else (dimensions.product(layout.sizes),)
    refused = viewable.refused(layout.sizes, layout.strides, wanted)
    if refused is None:
        return _apart(layout, _named(shape))
    if operation.name not in {"view", "view_as"}:
        return Layout(sure=layout.sure)
    if operation.machine.tries:
        _forget(operation)
        return None
    sure = layout.sure and refused
    facts = {"op": operation.label, "layout": layout, "before": before, "after": shape}
    choosing.venture(operation.machine, ViewRefused, operation.spot, sure=sure, **facts)
    return None


def _forget(operation: Operation) -> None:
    """A view is tried that is refused: what comes next is done where it was not."""
    value = operation.inputs["input"]
    tensor = operation.machine.get(value)
    if isinstance(tensor, Tensor) and tensor.form is not None:
        form = replace(tensor.form, layout=None)
        operation.machine.set(value, replace(tensor, form=form))


def _apart(layout: Layout, shape: Shape) -> Layout | None:
    """The last dimension taken apart, and those before it left as they are."""
    assert layout.strides is not None
    kept = len(layout.sizes) - 1
    if len(shape) <= kept or layout.sizes[:kept] != shape[:kept]:
        return None
    within = [dimensions.multiply(layout.strides[-1], one) for one in _in_order(shape[kept:])]
    return replace(layout, strides=(*layout.strides[:kept], *within), sizes=shape)


def _moved(operation: Operation, layout: Layout, shape: Shape | None) -> Layout | None:
    """Strides that go where their dimensions go."""
    strides, sizes = layout.strides, layout.sizes
    if strides is None:
        if shape is None or not shapes.is_whole(shape):
            return None
        sizes = _named(shape)
        strides = _in_order(sizes)
    if operation.name in _PARTS:
        return _row(operation, layout, strides, sizes)
    if operation.name in {"squeeze", "argsort"}:
        return None
    moved, turned = shaping.moved(operation, strides), shaping.moved(operation, sizes)
    if moved is None or turned is None or not len(moved) == len(turned) >= len(strides):
        return None
    layout = replace(layout, strides=moved, sizes=turned)
    if operation.name not in TURNING:
        return layout
    return replace(layout, turned=operation.spot, by=operation.label)


def _of_rows(operation: Operation, shape: Shape | None) -> Value:
    """The index of ``x[:k, :]``, which takes all of the other dimensions; unknown for others."""
    match operation.inputs.get("index"):
        case Tuple(items=(first, *others)) if all(one == _WHOLE for one in others):
            enough = shape is not None and len(shapes.ends(shape)[0]) > len(others)
            return first if enough and "dim" not in operation.inputs else UNKNOWN
    return UNKNOWN


_WHOLE = Const(slice(None))


def _row(operation: Operation, layout: Layout, strides: Shape, sizes: Shape) -> Layout | None:
    """A row lies as its dimensions do, and so do the first few."""
    index = operation.inputs.get("index", Const(0))
    if operation.name == "select":
        index = _of_rows(operation, sizes)
    match index:
        case Const(value=slice(start=None | 0, stop=int(count), step=None)) if count > 1:
            if layout.strides is None:
                return layout
            # There may be fewer.
            sizes = (dimensions.new_name(), *sizes[1:])
            return replace(layout, strides=strides, sizes=sizes, dense=False)
        case Const(value=slice()):
            return None
        case Number() | Const():
            pass
        case _:
            return None
    if layout.strides is None:
        return layout
    return replace(layout, strides=strides[1:], sizes=sizes[1:], dense=False)


def _named(shape: Shape) -> Shape:
    """A shape with names for the dimensions that are not known."""
    return tuple(dimensions.new_name() if dim is None else dim for dim in shape)


def _in_order(shape: Shape) -> tuple[Dim, ...]:
    """The strides of a shape where one element follows the other."""
    return tuple(dimensions.product(shape[at + 1 :]) for at in range(len(shape)))


def is_in_order(tensor: Tensor) -> bool:
    """Whether elements lie one after the other, as those of most tensors do but for some views."""
    layout = tensor.form.layout if tensor.form is not None else None
    if layout is not None:
        return layout.strides is None and layout.dense
    op = tensor.node.op if tensor.node is not None else ""
    return op not in _PARTS and generated.view(op) != "always"


def of_factory(name: str) -> object:
    """The form of what a factory makes: elements that it is given may lie as they do already."""
    return None if name in _GIVEN else PLAIN


_GIVEN = frozenset({"as_tensor", "asarray", "as_strided", "empty_strided", "from_dlpack"})
