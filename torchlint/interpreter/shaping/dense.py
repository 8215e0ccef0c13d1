"""Layers with weights that stand at the end of a shape, embeddings, and normalisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.mismatch import Why

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.shaping.request import Request


def linear(request: Request) -> Shape | None:
    """Another size in the last dimension."""
    if request.layer:
        given, made, by = request.dim("in_features"), request.dim("out_features"), "in_features"
    else:
        weight = request.shape("weight")
        if shapes.rank(weight) not in (None, 2):
            return None
        given, made = shapes.size(weight, -1), shapes.size(weight, -2)
        by = "weight"
        if weight is not None and shapes.rank(weight) is None:
            made = None
    shape = request.fit("input", (MORE, given), by=by)
    bias = None if request.layer else request.shape("bias")
    if bias is not None and shapes.rank(bias) == 1 and bias[0] != 1:
        request.need(bias[0], made, "bias", 0, "weight")
    return (*shape[:-1], made)


def bilinear(request: Request) -> Shape | None:
    """Two operands that are alike but for the last dimension."""
    if request.layer:
        names = ("in1_features", "in2_features")
        widths: Shape = tuple(map(request.dim, (*names, "out_features")))
    else:
        weight = request.shape("weight")
        if weight is None or shapes.rank(weight) != 3:
            return None
        names, widths = ("weight", "weight"), (*weight[1:], weight[0])
        bias = request.shape("bias")
        if bias is not None and shapes.rank(bias) == 1 and bias[0] != 1:
            request.need(bias[0], weight[0], "bias", 0, "weight")
    one = request.fit("input1", (MORE, widths[0]), by=names[0])
    other = request.fit("input2", (MORE, widths[1]), by=names[1])
    if shapes.rank(one) is not None:
        one = request.fit("input1", one)
        other = request.fit("input2", (*(None,) * (len(one) - 1), other[-1]), by="input1")
    if shapes.rank(one) is None or shapes.rank(other) is None:
        return None
    pairs = enumerate(zip(other[:-1], one[:-1], strict=True))
    before = [request.need(b, a, "input2", at, "input1") for at, (b, a) in pairs]
    return (*before, widths[2])


def embedding(request: Request) -> Shape | None:
    """A dimension more, for what stands in the table."""
    width = request.dim("embedding_dim")
    if not request.layer:
        weight = request.shape("weight")
        width = weight[1] if weight is not None and shapes.rank(weight) == 2 else None
    shape = request.shape()
    return (*(shape if shape is not None else (MORE,)), width)


def embedding_bag(request: Request) -> Shape | None:
    """A row for each bag."""
    shape, offsets = request.shape(), request.shape("offsets")
    width = request.dim("embedding_dim")
    if not request.layer:
        weight = request.shape("weight")
        width = weight[1] if weight is not None and shapes.rank(weight) == 2 else None
    if shape is None:
        return None
    if request.value("offsets") is not None:
        last = request.flag("include_last_offset")
        plain = last is False and shapes.rank(offsets) == 1 and shapes.rank(shape) == 1
        return (*offsets, width) if plain and offsets is not None else None
    if shapes.rank(shape) == 2:
        return (shape[0], width)
    if shapes.rank(shape) is not None:
        request.refuse(Why.RANK, wanted=2, given=len(shape))
    return None


_RANKS = {"1d": (2, 3), "2d": (4,), "3d": (5,)}


def batch_norm(request: Request) -> Shape | None:
    """The shape that is given, with so many channels."""
    label = request.operation.label
    if not request.layer:
        running = request.shape("running_mean")
        channels = running[0] if running is not None and shapes.rank(running) == 1 else None
        shape = request.fit("input", (None, channels, MORE), by="running_mean")
    else:
        ranks = _RANKS.get(label[-2:], ())
        channels = None if label.startswith("Lazy") else request.dim("num_features")
        pattern: Shape = (None, channels, MORE)
        if len(ranks) == 1:
            pattern = (None, channels, *(None,) * (ranks[0] - 2))
        shape = request.fit("input", pattern, ranks=ranks, by="num_features")
    # Of one value for each channel there is no variance, which is refused in training.
    return None if _is_single(shape[:1] + shape[2:]) else shape


def _is_single(dims: Shape) -> bool:
    """Whether there may be no more than one value, or none at all."""
    whole = dimensions.product(dim for dim in dims if dim != MORE)
    return MORE not in dims and isinstance(whole, int) and whole < 2


def instance_norm(request: Request) -> Shape | None:
    """The shape that is given; so many channels only if they have weights."""
    count = request.operation.label[-2:-1]
    if not request.layer or not count.isdigit():
        return request.shape()
    affine = request.flag("affine")
    tracks = request.flag("track_running_stats")
    channels = request.dim("num_features") if affine else None
    ranks = (int(count) + 1, int(count) + 2)
    pattern: Shape = (MORE, channels, *(None,) * int(count))
    shape = request.fit("input", pattern, ranks=ranks, by="num_features", single=ranks)
    known = affine is True or (affine is False and tracks is False)
    return None if not known or _is_single(shape[-int(count) :]) or 0 in shape else shape


def group_norm(request: Request) -> Shape | None:
    """The shape that is given, with so many channels in groups."""
    groups = request.dim("num_groups")
    channels = request.dim("num_channels") if request.layer else None
    if dimensions.indivisible([channels], [groups]):
        request.refuse(Why.ARGUMENTS, wanted=groups, given=channels, by="num_channels")
    shape = request.fit("input", (None, channels, MORE), by="num_channels")
    if dimensions.indivisible([shape[1]], [groups]):
        request.refuse(Why.SIZE, wanted=groups, given=shape[1], dim=1, by="num_groups")
    if 0 in shape or groups == 0:
        return None
    whole = dimensions.product(dim for dim in shape if dim != MORE)
    return None if isinstance(whole, int) and whole == groups and MORE not in shape else shape


def layer_norm(request: Request) -> Shape | None:
    """The shape that is given, which ends as the weights do."""
    value = request.value("normalized_shape")
    items = request.items(value)
    if items is None:
        size = request.dim("normalized_shape", counts=False)
        if size is None:
            return request.shape()
        pattern: Shape = (MORE, size)
    else:
        found = request.sizes([value], counts=True) if value is not None else None
        pattern = (MORE, *(found or ()))
    return request.fit("input", pattern, by="normalized_shape")


def response_norm(request: Request) -> Shape | None:
    """The shape that is given, of at least three dimensions."""
    return request.fit("input", (MORE, None, None, None))


def pixels(request: Request) -> Shape | None:
    """Channels made pixels, or pixels made channels."""
    factor = request.dim("upscale_factor", "downscale_factor", counts=True)
    shape = request.fit("input", (MORE, None, None, None))
    if factor is None or (isinstance(factor, int) and factor < 1) or 0 in shape:
        return None
    area = dimensions.multiply(factor, factor)
    *before, channels, height, width = shape
    if request.name == "pixel_shuffle":
        if dimensions.indivisible([channels], [area]):
            request.refuse(Why.SIZE, wanted=area, given=channels, dim=-3, by="upscale_factor")
        sides = [dimensions.multiply(side, factor) for side in (height, width)]
        return (*before, dimensions.floor_divide(channels, area), *sides)
    for at, side in ((-2, height), (-1, width)):
        if dimensions.indivisible([side], [factor]):
            request.refuse(Why.SIZE, wanted=factor, given=side, dim=at, by="downscale_factor")
    sides = [dimensions.floor_divide(side, factor) for side in (height, width)]
    return (*before, dimensions.multiply(channels, area), *sides)


def channel_shuffle(request: Request) -> Shape | None:
    """The shape that is given, whose channels are in groups."""
    groups = request.dim("groups")
    shape = request.fit("input", (None, None, None, MORE))
    if dimensions.indivisible([shape[1]], [groups]):
        request.refuse(Why.SIZE, wanted=groups, given=shape[1], dim=1, by="groups")
    return shape
