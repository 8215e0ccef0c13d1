"""Convolutions and pooling: windows that move over the last dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.dimensions import add, floor_divide, multiply, subtract
from torchlint.interpreter.shaping import indexing
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import NONE, Const

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request


@dataclass(frozen=True, slots=True)
class Window:
    """How a window moves along one dimension; ``padding`` is what both sides have together."""

    size: Dim
    stride: Dim = 1
    padding: Dim = 0
    dilation: Dim = 1

    @property
    def span(self) -> Dim:
        """From the first element of the window to the last."""
        return add(multiply(self.dilation, subtract(self.size, 1)), 1)


def extent(name: str) -> int:
    """How many dimensions a window has, by the name of what moves it."""
    return next(int(part[-2]) for part in name.split("_") if part.endswith(("1d", "2d", "3d")))


def _places(request: Request, window: Window, length: Dim, dim: int) -> Dim:
    """How often a window fits into a length."""
    if None in (length, window.span, window.stride, window.padding) or window.stride == 0:
        return None
    padded = add(length, window.padding)
    if dimensions.at_least(subtract(window.span, 1), padded):
        request.refuse(Why.EMPTY, wanted=window.span, given=padded, dim=dim, by="kernel_size")
    return add(floor_divide(subtract(padded, window.span), window.stride), 1)


def _is_usable(*settings: tuple[Dim, ...]) -> bool:
    """Whether none of the numbers is one that torch refuses."""
    return not any(isinstance(dim, int) and dim < 1 for group in settings for dim in group)


def _operand(request: Request, channels: Dim, count: int, by: str) -> tuple[Shape, Shape] | None:
    """What stands before the channels, and the lengths; None where nothing is told of them."""
    pattern, ranks = (shapes.MORE, channels, *(None,) * count), (count + 1, count + 2)
    shape = request.fit("input", pattern, ranks=ranks, by=by, single=ranks)
    if 0 in shape:
        return None
    return shape[: -count - 1], shape[-count:]


def convolution(request: Request) -> Shape | None:
    """What a convolution gives."""
    count = extent(request.name)
    layer = _weights(request, count)
    if layer is None:
        return None
    given, made, kernel, by = layer
    stride = request.numbers("stride", count, 1)
    dilation = request.numbers("dilation", count, 1)
    found = _operand(request, given, count, by)
    if found is None or not _is_usable(kernel, stride, dilation):
        return None
    before, lengths = found
    mode = request.value("padding")
    if mode == Const("same"):
        if any(isinstance(step, int) and step != 1 for step in stride):
            request.refuse(Why.ARGUMENTS, by="padding")
        return (*before, made, *lengths) if _pads_zeros(request) else None
    _bias(request, made)
    padding = (0,) * count if mode == Const("valid") else request.numbers("padding", count, 0)
    if any(isinstance(dim, int) and dim < 0 for dim in padding):
        return None
    if not _pads_zeros(request) and not _is_roomy(lengths, padding):
        return None
    settings = zip(lengths, kernel, stride, padding, dilation, strict=True)
    placed = [
        _places(request, Window(size, step, multiply(2, pad), wide), length, at - count)
        for at, (length, size, step, pad, wide) in enumerate(settings)
    ]
    return (*before, made, *placed)


def _pads_zeros(request: Request) -> bool:
    """Whether padding is of zeros, which there may be as many of as one likes."""
    return request.text("padding_mode", "zeros") == "zeros"


def _is_roomy(lengths: Shape, padding: tuple[Dim, ...]) -> bool:
    """Whether there may be as much in an image as is repeated around it."""
    pairs = zip(lengths, padding, strict=True)
    numbers = [pair for pair in pairs if isinstance(pair[0], int) or not isinstance(pair[1], int)]
    return all(
        pad is not None and dimensions.at_least(length, 1 + pad)
        for length, pad in numbers
        if isinstance(pad, int)
    )


def _bias(request: Request, made: Dim) -> None:
    """What is added to each channel is as many numbers."""
    shape = request.shape("bias") if not request.layer else None
    if shape is not None and shapes.rank(shape) == 1:
        request.need(shape[0], made, "bias", 0, "weight")


def _weights(request: Request, count: int) -> tuple[Dim, Dim, tuple[Dim, ...], str] | None:
    """Channels in and out, the kernel, and what they are known from."""
    groups = request.dim("groups", default=1)
    transposed = "transpose" in request.name
    if request.layer:
        given, made = request.dim("in_channels"), request.dim("out_channels")
        if not _is_usable((given, made, groups)):
            return None
        for channels, name in ((given, "in_channels"), (made, "out_channels")):
            if dimensions.indivisible([channels], [groups]):
                request.refuse(Why.ARGUMENTS, wanted=groups, given=channels, by=name)
        return given, made, request.numbers("kernel_size", count), "in_channels"
    weight = request.shape("weight")
    if weight is None or shapes.rank(weight) is None:
        return (None, None, (None,) * count, "weight")
    if len(weight) != count + 2:
        request.refuse(Why.RANK, "weight", wanted=count + 2, given=len(weight))
    one, other = weight[:2]
    if transposed:
        return one, multiply(other, groups), weight[2:], "weight"
    if not _is_usable((groups,)):
        return None
    if dimensions.indivisible([one], [groups]):
        request.refuse(Why.ARGUMENTS, "weight", wanted=groups, given=one, dim=0, by="groups")
    return multiply(other, groups), one, weight[2:], "weight"


def transposed(request: Request) -> Shape | None:
    """What a transposed convolution gives."""
    count = extent(request.name)
    layer = _weights(request, count)
    if layer is None or not _pads_zeros(request):
        return None
    given, made, kernel, by = layer
    stride, more = request.numbers("stride", count, 1), request.numbers("output_padding", count, 0)
    dilation, padding = request.numbers("dilation", count, 1), request.numbers("padding", count, 0)
    found = _operand(request, given, count, by)
    if found is None or not _is_usable(kernel, stride, dilation):
        return None
    before, lengths = found
    _bias(request, made)
    if request.value("output_size") is not None:
        asked = request.sizes([request.inputs["output_size"]])
        known = asked is not None and len(asked) in {count, count + 2}
        return (*before, made, *(asked[-count:] if known and asked else (None,) * count))
    placed: list[Dim] = []
    settings = zip(lengths, kernel, stride, padding, dilation, more, strict=True)
    for at, (length, size, step, pad, wide, out) in enumerate(settings):
        if isinstance(out, int) and isinstance(step, int) and isinstance(wide, int):
            if out < 0 or (isinstance(pad, int) and pad < 0):
                return None
            most = max(step, wide)
            if out >= most and request.layer:
                request.refuse(Why.ARGUMENTS, wanted=most, given=out, by="output_padding")
        whole = add(multiply(subtract(length, 1), step), Window(size, dilation=wide).span)
        whole = add(subtract(whole, multiply(2, pad)), out)
        if whole is not None and dimensions.at_least(0, whole):
            request.refuse(Why.EMPTY, wanted=1, given=whole, dim=at - count, by="padding")
        placed.append(whole)
    return (*before, made, *placed)


def pooled(request: Request) -> Shape | None:
    """What the maximum or mean of each window is."""
    count = extent(request.name)
    kernel = request.numbers("kernel_size", count)
    stride = request.numbers("stride", count)
    if request.value("stride") is None or request.items(request.value("stride")) == []:
        stride = kernel
    padding, dilation = request.numbers("padding", count, 0), request.numbers("dilation", count, 1)
    ceil = request.flag("ceil_mode")
    if request.flag("return_indices") is None or not _is_usable(kernel, stride, dilation):
        return None
    found = _operand(request, None, count, "kernel_size")
    if found is None:
        return None
    before, lengths = found
    placed: list[Dim] = []
    settings = zip(lengths, kernel, stride, padding, dilation, strict=True)
    for at, (length, size, step, pad, wide) in enumerate(settings):
        if isinstance(pad, int) and isinstance(size, int) and not 0 <= pad <= size // 2:
            request.refuse(Why.ARGUMENTS, wanted=size // 2, given=pad, by="padding")
        if request.name == "avg_pool3d" and dimensions.at_least(subtract(size, 1), length):
            request.refuse(Why.EMPTY, wanted=size, given=length, dim=at - count, by="kernel_size")
        window = Window(size, step, multiply(2, pad), wide)
        placed.append(_rounded(request, window, length, pad, at - count, ceil=ceil))
    return (*before, shapes.size(request.shape(), -count - 1), *placed)


def _rounded(
    request: Request, window: Window, length: Dim, pad: Dim, at: int, *, ceil: bool | None
) -> Dim:
    """How often a pooling window fits, where one that sticks out may count."""
    if ceil is False:
        return _places(request, window, length, at)
    if ceil is None or window.stride is None or window.stride == 0:
        return None
    step = window.stride
    padded = subtract(add(length, window.padding), window.span)
    places = add(dimensions.ceil_divide(padded, step), 1)
    starts, end = multiply(subtract(places, 1), step), add(length, pad)
    if places is None or starts is None or end is None:
        return None
    if dimensions.at_least(0, places):
        request.refuse(Why.EMPTY, wanted=window.span, given=length, dim=at, by="kernel_size")
    if dimensions.at_least(subtract(end, 1), starts):
        return places
    # The last window would begin beyond the end.
    return subtract(places, 1) if dimensions.at_least(starts, end) else None


def adaptive(request: Request) -> Shape | None:
    """As much as is asked for, whatever is given."""
    count = extent(request.name)
    if request.flag("return_indices") is None:
        return None
    value = request.value("output_size")
    items = request.items(value)
    wanted = request.numbers("output_size", count)
    single: tuple[int, ...] = (count + 1, count + 2)
    ranks = single
    if "avg" in request.name and count > 1 and wanted == (1,) * count:
        # The mean of all, which is one of any number of dimensions.
        ranks = ()
    least = 0 if not ranks else 1
    shape = request.fit(
        "input", (shapes.MORE, *(None,) * (count + least)), ranks=ranks, single=single
    )
    if 0 in shape or any(isinstance(dim, int) and dim < 0 for dim in wanted):
        return None
    if count == 1 and items == [NONE]:
        return None
    left = [item == NONE for item in items] if items is not None else [False] * count
    left = left * count if len(left) == 1 else left
    kept = zip(shape[-count:], wanted, left, strict=True)
    return (*shape[:-count], *(length if keep else size for length, size, keep in kept))


def fractional(request: Request) -> Shape | None:
    """The maxima of as many windows as are asked for."""
    count = extent(request.name)
    if request.value("output_size") is None or request.flag("return_indices") is None:
        return None
    wanted = request.numbers("output_size", count)
    found = _operand(request, None, count, "kernel_size")
    if found is None or not _is_usable(wanted):
        return None
    return (*found[0], shapes.size(request.shape(), -count - 1), *wanted)


def unpooled(request: Request) -> Shape | None:
    """The image that maxima have been taken of."""
    count = extent(request.name)
    found = _operand(request, None, count, "kernel_size")
    shape, indices = request.shape(), request.shape("indices")
    if found is None or shape is None or shapes.rank(shape) is None:
        return None
    if indices is not None:
        request.fit("indices", shape, by="input")
    if request.value("output_size") is not None:
        return (*shape[:-count], *(None,) * count)
    kernel = request.numbers("kernel_size", count)
    stride = kernel if request.value("stride") is None else request.numbers("stride", count)
    padding = request.numbers("padding", count, 0)
    settings = zip(shape[-count:], kernel, stride, padding, strict=True)
    placed = [
        subtract(add(multiply(subtract(length, 1), step), size), multiply(2, pad))
        for length, size, step, pad in settings
    ]
    return (
        None
        if any(isinstance(dim, int) and dim < 1 for dim in placed)
        else (*shape[:-count], *placed)
    )


def unfolded(request: Request) -> Shape | None:
    """The windows of an image as columns; the method of that name has no kernel."""
    if request.value("kernel_size") is None:
        return indexing.stepped(request)
    shape = request.fit("input", (shapes.MORE, None, None, None), ranks=(3, 4), single=(3, 4))
    kernel = request.numbers("kernel_size", 2)
    places = _columns(request, kernel, shape[-2:])
    if places is None or 0 in shape:
        return None
    width = dimensions.product((shape[-3], *kernel))
    return (*shape[:-3], width, dimensions.product(places))


def folded(request: Request) -> Shape | None:
    """Columns put together to an image."""
    shape = request.fit("input", (shapes.MORE, None, None), ranks=(2, 3), single=(2, 3))
    output, kernel = request.numbers("output_size", 2), request.numbers("kernel_size", 2)
    if not _is_usable(kernel, output) or 0 in shape:
        return None
    area = dimensions.product(kernel)
    if dimensions.indivisible([shape[-2]], [area]):
        request.refuse(Why.SIZE, wanted=area, given=shape[-2], dim=-2, by="kernel_size")
    places = _columns(request, kernel, output)
    if places is None:
        return None
    request.need(shape[-1], dimensions.product(places), "input", -1, "output_size")
    return (*shape[:-2], floor_divide(shape[-2], area), *output)


def _columns(request: Request, kernel: tuple[Dim, ...], lengths: Shape) -> Shape | None:
    """How often a kernel fits along either side of an image."""
    stride, padding = request.numbers("stride", 2, 1), request.numbers("padding", 2, 0)
    dilation = request.numbers("dilation", 2, 1)
    if not _is_usable(kernel, stride, dilation):
        return None
    settings = zip(lengths, kernel, stride, padding, dilation, strict=True)
    return tuple(
        _places(request, Window(size, step, multiply(2, pad), wide), length, at - 2)
        for at, (length, size, step, pad, wide) in enumerate(settings)
    )
