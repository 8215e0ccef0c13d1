"""Programs of one operation on tensors each, drawn at random."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st
from shape_programs import Draw, Program, shapes

_ODD = st.sampled_from([0, 0, 0, 0, 1])


def _dim(draw: Draw, shape: tuple[int, ...]) -> int:
    """Mostly a dimension that there is."""
    rank = max(len(shape), 1)
    return (
        draw(st.integers(-rank, rank - 1)) if draw(st.integers(0, 7)) else draw(st.integers(-6, 6))
    )


def _factored(draw: Draw, whole: int) -> list[int]:
    """Sizes with so many elements in all."""
    sizes = []
    for _ in range(draw(st.integers(0, 3))):
        divisors = [n for n in range(1, whole + 1) if whole % n == 0]
        size = draw(st.sampled_from(divisors))
        sizes.append(size)
        whole //= size
    return [*sizes, whole]


@st.composite
def views(draw: Draw) -> Program:
    shape = draw(shapes(0, 4))
    sizes: list[Any] = list(draw(st.permutations(_factored(draw, math.prod(shape)))))
    if draw(st.booleans()):
        sizes[draw(st.integers(0, len(sizes) - 1))] = -1
    if draw(st.integers(0, 5)) == 0:
        sizes[draw(st.integers(0, len(sizes) - 1))] += draw(st.integers(1, 2))
    kind = draw(st.sampled_from(["view", "reshape", "function", "size", "numel", "as"]))
    if kind == "size" and shape:
        return Program({"x": shape}, "x.view(x.size(0), -1)")
    if kind == "as":
        return Program({"x": shape, "z": tuple(map(abs, sizes))}, "x.view_as(z)")
    if kind == "numel":
        return Program({"x": shape}, "x.reshape(x.numel() // 2, 2)")
    if kind == "function":
        return Program({"x": shape}, f"torch.reshape(x, {tuple(sizes)})")
    written = f"*{tuple(sizes)}" if draw(st.booleans()) else f"{tuple(sizes)}"
    if written.startswith("*"):
        written = ", ".join(map(str, sizes))
    return Program({"x": shape}, f"x.{'view' if kind == 'view' else 'reshape'}({written})")


@st.composite
def orders(draw: Draw) -> Program:
    shape = draw(shapes(0, 5))
    kind = draw(
        st.sampled_from(["permute", "transpose", "movedim", "t", "T", "mT", "swapaxes", "many"])
    )
    if kind in {"permute", "many"}:
        order = list(draw(st.permutations(range(len(shape) + draw(_ODD)))))
        order = [at - len(shape) if draw(st.integers(0, 3)) == 0 else at for at in order]
        if order and kind == "permute":
            return Program({"x": shape}, f"x.permute({', '.join(map(str, order))})")
        return Program({"x": shape}, f"torch.permute(x, {tuple(order)})")
    pair = _dim(draw, shape), _dim(draw, shape)
    if kind in {"T", "mT"}:
        return Program({"x": shape}, f"x.{kind}" if kind == "mT" or len(shape) == 2 else "x.mT")
    if kind == "t":
        return Program({"x": shape}, "x.t()")
    return Program({"x": shape}, f"x.{kind}({pair[0]}, {pair[1]})")


@st.composite
def ranks(draw: Draw) -> Program:
    shape = draw(shapes(0, 5, most=3))
    dim, other = _dim(draw, shape), _dim(draw, shape)
    call = draw(
        st.sampled_from(
            [
                "x.squeeze()",
                f"x.squeeze({dim})",
                f"x.squeeze(({dim}, {other}))",
                f"torch.squeeze(x, dim={dim})",
                f"x.unsqueeze({dim})",
                f"torch.unsqueeze(x, {dim})",
                "x.flatten()",
                f"x.flatten({dim})",
                f"torch.flatten(x, {dim}, {other})",
                "nn.Flatten()(x)",
                f"nn.Flatten({dim}, {other})(x)",
                f"nn.Flatten(start_dim={dim})(x)",
                f"x.unflatten({dim}, (1, -1))",
                f"x.unflatten({dim}, (2, -1))",
                f"nn.Unflatten({dim}, (-1, 1))(x)",
                f"torch.unflatten(x, {dim}, (3, 1))",
                f"x.unbind({dim})[0]",
                f"x.diagonal(0, {dim}, {other})",
                "torch.ravel(x)",
            ]
        )
    )
    return Program({"x": shape}, call)


@st.composite
def repetitions(draw: Draw) -> Program:
    shape = draw(shapes(0, 4, most=3))
    longer = (*draw(shapes(0, 2)), *(draw(st.integers(1, 5)) if n == 1 else n for n in shape))
    asked = [-1 if draw(st.integers(0, 3)) == 0 else n + draw(_ODD) for n in longer]
    times = [draw(st.integers(1, 3)) for _ in range(len(shape) + draw(st.integers(-1, 2)))]
    written, dim = ", ".join(map(str, asked)), _dim(draw, shape)
    calls = [
        f"x.expand({tuple(asked)!r})",
        f"torch.broadcast_to(x, {tuple(asked)!r})",
        f"x.repeat({tuple(times)!r})",
        f"x.tile({tuple(times)!r})",
        f"x.repeat_interleave(2, dim={dim})",
        "torch.repeat_interleave(x, 3)",
        f"x.roll(1, {dim})",
        f"torch.flip(x, [{dim}])",
    ]
    if asked:
        calls.append(f"x.expand({written})")
    return Program({"x": shape}, draw(st.sampled_from(calls)))


def _alike(draw: Draw, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that mostly broadcasts with another."""
    start = draw(st.integers(0, len(shape)))
    return tuple(1 if draw(st.integers(0, 3)) == 0 else n + draw(_ODD) for n in shape[start:])


@st.composite
def arithmetic(draw: Draw) -> Program:
    shape = draw(shapes(0, 4))
    other = _alike(draw, shape)
    calls = [
        "x + z",
        "z * x",
        "x / z - 1",
        "x - 2 * z",
        "torch.add(x, z)",
        "torch.maximum(z, x)",
        "x.mul(z)",
        "x > z",
        "torch.where(x > 0, x, z)",
        "torch.where(x > z, x, 0.0)",
        "x.masked_fill(z > 0, 1.0)",
        "x.expand_as(z)",
        "z.expand_as(x)",
        "-x",
        "3 - x",
        "torch.relu(x) + F.gelu(z)",
        "torch.softmax(x, -1) * z.sigmoid()",
        f"x.softmax({_dim(draw, shape)})",
        f"nn.Softmax({_dim(draw, shape)})(x)",
        f"x.cumsum({_dim(draw, shape)})",
        "nn.Dropout()(nn.ReLU()(x))",
        "x @ z",
        "torch.max(x, z)",
        f"F.glu(x, {_dim(draw, shape)})",
        "torch.lerp(x, z, 0.5)",
        f"F.normalize(x, dim={_dim(draw, shape)})",
        "F.one_hot(x.long(), 7)",
        "torch.zeros_like(x) + torch.randn(3)",
        "nn.PReLU()(x)",
        "nn.PReLU(3)(x)",
    ]
    return Program({"x": shape, "z": other}, draw(st.sampled_from(calls)))


@st.composite
def reductions(draw: Draw) -> Program:
    shape = draw(shapes(0, 4))
    dim, other = _dim(draw, shape), _dim(draw, shape)
    keep = draw(st.sampled_from(["", ", keepdim=True"]))
    call = draw(
        st.sampled_from(
            [
                f"x.sum({dim}{keep})",
                f"x.mean(({dim}, {other}){keep})",
                f"torch.mean(x, dim={dim}{keep})",
                "x.sum()",
                f"x.argmax({dim}{keep})",
                f"x.max({dim}{keep})[0]",
                f"x.max({dim}{keep}).values",
                f"torch.min(x, {dim}{keep})[1]",
                f"x.amax(dim=({dim},){keep})",
                f"x.std({dim}{keep})",
                f"x.norm(dim={dim}{keep})",
                f"x.norm(2, {dim})",
                f"torch.logsumexp(x, {dim}{keep})",
                f"x.var(dim={dim}{keep})",
                f"(x > 0).any({dim}{keep})",
                f"x.topk(1, {dim})[0]",
                f"torch.topk(x, k=2, dim={dim})[1]",
                f"x.sort({dim})[0]",
                f"x.prod({dim}{keep})",
                f"F.cosine_similarity(x, x, dim={dim})",
                f"x.median({dim}{keep})[0]",
                "x.min()",
            ]
        )
    )
    return Program({"x": shape}, call)


@st.composite
def joins(draw: Draw) -> Program:
    shape = draw(shapes(0, 4))
    dim = _dim(draw, shape)
    other = list(shape)
    if other and draw(st.booleans()) and -len(other) <= dim < len(other):
        other[dim] = draw(st.integers(1, 4))
    if other and draw(st.integers(0, 4)) == 0:
        other[draw(st.integers(0, len(other) - 1))] += 1
    other = other + [2] * (draw(st.integers(0, 8)) == 0)
    call = draw(
        st.sampled_from(
            [
                f"torch.cat([x, z], dim={dim})",
                f"torch.cat((x, z), {dim})",
                f"torch.cat([x, z, x], {dim})",
                "torch.cat([x, z])",
                f"torch.stack([x, z], dim={dim})",
                "torch.stack((x, x))",
                "torch.hstack([x, z])",
                "torch.vstack((x, z))",
            ]
        )
    )
    return Program({"x": shape, "z": tuple(other)}, call)


@st.composite
def pieces(draw: Draw) -> Program:
    shape = draw(shapes(0, 4, most=9))
    dim, size, item = _dim(draw, shape), draw(st.integers(1, 5)), draw(st.integers(-2, 1))
    length = shape[dim] if -len(shape) <= dim < len(shape) else 4
    cut = draw(st.integers(0, length))
    sections = [cut, length - cut + draw(_ODD)]
    call = draw(
        st.sampled_from(
            [
                f"x.chunk({size}, {dim})[{item}]",
                f"torch.chunk(x, {size}, dim={dim})[0]",
                f"x.split({size}, {dim})[{item}]",
                f"torch.split(x, {size}, dim={dim})[0]",
                f"x.split({sections}, dim={dim})[{item}]",
                f"torch.split(x, {sections}, {dim})[1]",
                f"x.unbind({dim})[{item}]",
                f"torch.unbind(x, dim={dim})[0]",
                f"x.narrow({dim}, 1, {size})",
                f"x.select({dim}, {item})",
                f"x.index_select({dim}, torch.arange({size}))",
                f"x.tensor_split({size}, {dim})[0]",
                f"x.unfold({dim}, {size}, 2)",
            ]
        )
    )
    return Program({"x": shape}, call)


@st.composite
def indices(draw: Draw) -> Program:
    shape = draw(shapes(0, 4, most=6))
    bound = st.one_of(st.none(), st.integers(-7, 7))
    parts = []
    for at in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["number", "slice", "slice", "none", "dots", "step", "name"]))
        low, high = draw(bound), draw(bound)
        low, high = ("" if end is None else end for end in (low, high))
        parts.append(
            {
                "number": str(draw(st.integers(-3, 2))),
                "slice": f"{low}:{high}",
                "step": f"{low}:{high}:{draw(st.integers(1, 3))}",
                "none": "None",
                "dots": "..." if "..." not in parts else ":",
                "name": f"x.size({at}) - 1" if at < len(shape) else ":",
            }[kind]
        )
    return Program({"x": shape}, f"x[{', '.join(parts)}]")


@st.composite
def taken(draw: Draw) -> Program:
    shape = draw(shapes(1, 4))
    index = tuple(draw(st.integers(1, n)) + draw(_ODD) for n in shape) + (1,) * draw(_ODD)
    dim = _dim(draw, shape)
    call = draw(
        st.sampled_from(
            [
                f"x.gather({dim}, z.long())",
                f"torch.gather(x, dim={dim}, index=z.long())",
                "x[z.long()]",
                "x[:, z.long()]",
                "x[z.long(), z.long()]",
                "x[[0, 0, 0]]",
                "x[:, [0, 0]]",
                "x[..., [0, 0]]",
                "x[z.long(), :]",
                "x[None, z.long()]",
            ]
        )
    )
    return Program({"x": shape, "z": index}, call)


@st.composite
def products(draw: Draw) -> Program:
    one = draw(shapes(0, 4, most=4))
    last = one[-1] if one else 2
    before = _alike(draw, one[:-2])
    other = (*before, last + draw(_ODD), draw(st.integers(1, 4)))
    if draw(st.integers(0, 4)) == 0:
        other = (last + draw(_ODD),)
    given = {"x": one, "z": other}
    kind = draw(st.sampled_from("@ matmul bmm mm mv dot outer cdist addmm baddbmm".split()))
    if kind in {"addmm", "baddbmm"}:
        bias = _alike(draw, (*one[:-1], other[-1]))
        return Program({**given, "b": bias}, f"torch.{kind}(b, x, z)")
    if kind == "cdist":
        return Program(given, "torch.cdist(x, z.mT)" if len(other) > 1 else "torch.cdist(x, z)")
    return Program(given, "x @ z" if kind == "@" else f"torch.{kind}(x, z)")


@st.composite
def patterns(draw: Draw) -> Program:
    sizes = {letter: draw(st.integers(1, 4)) for letter in "bijk"}
    terms = ["".join(draw(st.permutations("bijk"))[: draw(st.integers(0, 4))]) for _ in range(2)]
    dots = draw(st.sampled_from(["", "", "..."]))
    letters = sorted({*terms[0], *terms[1]})
    right = "".join(draw(st.permutations(letters))[: draw(st.integers(0, 4))])
    right = dots + right if draw(st.integers(0, 7)) else right
    given = {
        name: (2,) * bool(dots)
        + tuple(sizes[letter] + draw(st.sampled_from([0] * 9 + [1])) for letter in term)
        for name, term in zip("xz", terms, strict=True)
    }
    left = ",".join(dots + term for term in terms)
    equation = f"{left}->{right}" if draw(st.integers(0, 4)) else left
    if draw(st.booleans()):
        return Program(given, f"torch.einsum({equation!r}, x, z)")
    return Program(given, f"torch.einsum({equation!r}, [x, z])")


def _grouped(draw: Draw, names: list[str]) -> list[list[str]]:
    """The names in their order, some of them as one dimension."""
    groups: list[list[str]] = []
    for name in names:
        if groups and draw(st.integers(0, 3)) == 0:
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def _pattern(groups: list[list[str]], at: int | None) -> str:
    """A side of a pattern of einops, with dots before a dimension."""
    terms = [group[0] if len(group) == 1 else f"({' '.join(group)})" for group in groups]
    if at is not None:
        terms.insert(min(at, len(terms)), "...")
    return " ".join(terms)


@st.composite
def arrangements(draw: Draw) -> Program:
    names = [*"abcde"][: draw(st.integers(1, 4))]
    lengths = {name: draw(st.integers(1, 4)) for name in [*names, "r"]}
    left = _grouped(draw, names)
    others = list(draw(st.permutations(names)))
    kind = draw(st.sampled_from(["rearrange", "reduce", "repeat"]))
    if kind == "reduce" or draw(_ODD):
        others = others[draw(st.integers(0, len(others))) :]
    if kind == "repeat" or draw(_ODD):
        others.insert(draw(st.integers(0, len(others))), "r")
    right = _grouped(draw, others)
    at = draw(st.sampled_from([None, None, 0, 1]))
    to = (0 if draw(st.booleans()) else 2) if at is not None and not draw(_ODD) else None
    shape = [math.prod(lengths[name] for name in group) + draw(_ODD) * 5 for group in left]
    if at is not None:
        shape[min(at, len(shape)) : min(at, len(shape))] = [2, 3][: draw(st.integers(0, 2))]
    told = {name for group in left for name in group[draw(st.integers(0, 7)) > 0 :]}
    told |= {"r"} if "r" in others and draw(st.integers(0, 9)) else set()
    settings = "".join(f", {name}={lengths[name] + draw(_ODD)}" for name in sorted(told))
    how = f", {draw(st.sampled_from(['mean', 'max', 'sum', 'none']))!r}" if kind == "reduce" else ""
    pattern = f"{_pattern(left, at)} -> {_pattern(right, to)}"
    return Program({"x": tuple(shape)}, f"einops.{kind}(x, {pattern!r}{how}{settings})")


@st.composite
def sizes(draw: Draw) -> Program:
    rank = draw(st.sampled_from([2, 3, 4, 4, 4, 5]))
    shape = tuple(draw(st.integers(1, 9)) for _ in range(rank))
    if draw(st.booleans()):
        shape = (shape[0], 4 * shape[1], *shape[2:])
    count = rank - 2
    pads = [draw(st.integers(-1, 3)) for _ in range(2 * draw(st.integers(1, 3)))]
    mode = draw(st.sampled_from(["nearest", "linear", "bilinear", "bicubic", "trilinear", "area"]))
    scale = draw(st.sampled_from([2, 0.5, 1.5, 3, 0.3, (2, 3)]))
    size = draw(st.one_of(st.integers(1, 9), st.tuples(*[st.integers(1, 9)] * max(count, 1))))
    padding = draw(st.sampled_from(["constant", "reflect", "replicate", "circular"]))
    side = draw(st.integers(0, 3))
    call = draw(
        st.sampled_from(
            [
                f"F.pad(x, {pads})",
                f"F.pad(x, {tuple(pads)}, mode={padding!r})",
                f"nn.ZeroPad2d({side})(x)",
                f"nn.ReflectionPad2d({side})(x)",
                f"nn.ReplicationPad2d(({side}, 1, 0, 2))(x)",
                f"nn.ConstantPad1d({side}, 0.0)(x)",
                f"F.interpolate(x, size={size})",
                f"F.interpolate(x, scale_factor={scale}, mode={mode!r})",
                f"F.interpolate(x, {size}, mode={mode!r})",
                f"nn.Upsample(scale_factor={scale})(x)",
                f"nn.Upsample(scale_factor={scale}, mode={mode!r})(x)",
                f"nn.Upsample({size})(x)",
                "nn.PixelShuffle(2)(x)",
                "F.pixel_shuffle(x, 2)",
                "nn.PixelUnshuffle(2)(x)",
                f"F.unfold(x, {side + 1})",
                f"nn.Unfold({side + 1}, padding=1, stride=2)(x)",
                "nn.ChannelShuffle(2)(x)",
                "nn.LocalResponseNorm(2)(x)",
            ]
        )
    )
    return Program({"x": shape}, call)


@st.composite
def losses(draw: Draw) -> Program:
    shape = draw(shapes(0, 4))
    target = tuple(n + draw(_ODD) for n in shape)
    classes = (*target[:1], *target[2:]) if draw(st.integers(0, 5)) else target
    reduction = draw(st.sampled_from(["", ", reduction='none'", ", reduction='sum'"]))
    plain = reduction.removeprefix(", ")
    call, z = draw(
        st.sampled_from(
            [
                (f"F.mse_loss(x, z{reduction})", _alike(draw, shape)),
                (f"nn.MSELoss({plain})(x, z)", target),
                (f"nn.L1Loss({plain})(x, z)", target),
                (f"F.smooth_l1_loss(x, z{reduction})", target),
                (f"nn.BCEWithLogitsLoss({plain})(x, z)", target),
                (f"F.binary_cross_entropy(x, z{reduction})", target),
                (f"nn.CrossEntropyLoss({plain})(x, z.long())", classes),
                (f"F.cross_entropy(x, z.long(){reduction})", classes),
                (f"F.cross_entropy(x, z{reduction})", target),
                (f"nn.NLLLoss({plain})(x, z.long())", classes),
                (f"F.nll_loss(x, z.long(){reduction})", classes),
                (f"nn.HuberLoss({plain})(x, z)", target),
                (f"F.kl_div(x, z{reduction})", target),
            ]
        )
    )
    return Program({"x": shape, "z": z}, call)


@st.composite
def chains(draw: Draw) -> Program:
    """Several layers one after the other, as people write them."""
    side, channels = draw(st.integers(4, 32)), draw(st.integers(1, 4))
    kernel, stride, padding = (draw(st.integers(*ends)) for ends in ((1, 5), (1, 3), (0, 2)))
    width = draw(st.integers(1, 8))
    layers = [
        f"nn.Conv2d({channels}, {width}, {kernel}, {stride}, {padding})",
        "nn.ReLU()",
        f"nn.BatchNorm2d({width + draw(_ODD)})",
        draw(st.sampled_from(["nn.MaxPool2d(2)", "nn.AvgPool2d(3, 2, 1)", "nn.Identity()"])),
        draw(st.sampled_from(["nn.AdaptiveAvgPool2d(1)", "nn.AdaptiveAvgPool2d((2, 2))"])),
        "nn.Flatten()",
        f"nn.Linear({draw(st.sampled_from([width, 4 * width]))}, 5)",
    ]
    shape = (2, channels, side, draw(st.integers(4, 32)))
    call = f"nn.Sequential({', '.join(layers)})(x)"
    kind = draw(st.sampled_from(["sequential", "heads", "shape"]))
    if kind == "heads":
        heads = draw(st.integers(1, 4))
        shape = (2, draw(st.integers(1, 5)), heads * draw(st.integers(1, 3)))
        view = f"x.view(x.size(0), -1, {heads}, x.size(2) // {heads}).transpose(1, 2)"
        call = f"(lambda q: (q @ q.transpose(-2, -1)).softmax(-1) @ q)({view})"
    if kind == "shape":
        call = "x.view(x.shape[0], x.shape[1], x.shape[2] * x.shape[3]).mean(-1) + x[:, :, 0, 0]"
    return Program({"x": shape}, call)
