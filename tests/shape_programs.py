"""Programs of one operation each, drawn at random: what is given, and the expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Draw = Any


@dataclass(frozen=True)
class Program:
    """The shapes of the tensors that there are, by name, and what is computed of them.

    What ``changes`` a tensor tells its shape, whether it may be changed so or not.
    """

    given: dict[str, tuple[int, ...]]
    expression: str
    changes: bool = False

    @property
    def known(self) -> str:
        """The program with all sizes written out."""
        lines = [f"{name} = torch.zeros(({_items(shape)}))" for name, shape in self.given.items()]
        return "\n".join([_HEAD, *lines, f"y = {self.expression}", ""])

    @property
    def named(self) -> str:
        """The program with names for all sizes."""
        lines = []
        for name, shape in self.given.items():
            lines.append(f"{name} = torch.relu(make({name!r}))")
            sizes = [f"{name}_{at}" for at in range(len(shape))]
            lines.append(f"{', '.join(sizes)}, = {name}.shape" if sizes else "")
        return "\n".join([_HEAD, *lines, f"y = {self.expression}", ""])


_HEAD = "import einops\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def _items(shape: tuple[int, ...]) -> str:
    return "".join(f"{size}, " for size in shape)


def shapes(low: int = 0, high: int = 5, most: int = 7) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(1, most), min_size=low, max_size=high).map(tuple)


def _maybe(draw: Draw, **settings: Any) -> str:
    """Some of these settings, each given or left out."""
    chosen = [f"{name}={value!r}" for name, value in settings.items() if draw(st.booleans())]
    return "".join(f", {setting}" for setting in chosen)


def _window(draw: Draw, count: int, low: int, high: int) -> Any:
    """One number, or one for each dimension."""
    number = st.integers(low, high)
    if draw(st.booleans()):
        return draw(number)
    return tuple(draw(number) for _ in range(count))


@st.composite
def convolutions(draw: Draw) -> Program:
    count = draw(st.integers(1, 3))
    groups = draw(st.sampled_from([1, 1, 1, 2, 3]))
    given = groups * draw(st.integers(1, 3)) + draw(st.sampled_from([0, 0, 0, 0, 1]))
    made = groups * draw(st.integers(1, 3)) + draw(st.sampled_from([0, 0, 0, 0, 1]))
    channels = given + draw(st.sampled_from([0, 0, 0, 1]))
    rank = count + draw(st.sampled_from([1, 1, 2, 2, 2, 2, 0, 3]))
    lengths = [draw(st.integers(1, 12)) for _ in range(count)]
    before = [2, channels, *lengths]
    shape = tuple(before[-rank:] if rank <= len(before) else [1, *before])
    transposed = draw(st.booleans())
    settings = _maybe(
        draw,
        stride=_window(draw, count, 1, 3),
        padding=_window(draw, count, 0, 2),
        dilation=_window(draw, count, 1, 2),
        bias=False,
    )
    if transposed:
        settings += _maybe(draw, output_padding=_window(draw, count, 0, 2))
    elif draw(st.integers(0, 5)) == 0:
        settings = _maybe(draw, stride=draw(st.integers(1, 2)), dilation=2)
        settings += f", padding={draw(st.sampled_from(['same', 'valid']))!r}"
    name = "ConvTranspose" if transposed else "Conv"
    kernel = _window(draw, count, 1, 4)
    if draw(st.booleans()):
        call = f"nn.{name}{count}d({given}, {made}, {kernel!r}, groups={groups}{settings})(x)"
        return Program({"x": shape}, call)
    sizes = (kernel,) * count if isinstance(kernel, int) else kernel
    inner = (given, made // groups) if transposed else (made, given // groups)
    if 0 in inner:
        inner = (given, made)
    function = "conv_transpose" if transposed else "conv"
    call = f"F.{function}{count}d(x, w, groups={groups}{settings.replace(', bias=False', '')})"
    return Program({"x": shape, "w": (*inner, *sizes)}, call)


@st.composite
def poolings(draw: Draw) -> Program:
    count = draw(st.integers(1, 3))
    rank = count + draw(st.sampled_from([1, 2, 2, 2, 0, 3]))
    shape = tuple(draw(st.integers(1, 12)) for _ in range(rank))
    kind = draw(st.sampled_from(["max", "avg", "adaptive_max", "adaptive_avg"]))
    layer = draw(st.booleans())
    if kind.startswith("adaptive"):
        size = draw(
            st.one_of(st.integers(1, 5), st.tuples(*[st.integers(1, 5) | st.none()] * count))
        )
        settings = repr(size)
    else:
        settings = repr(_window(draw, count, 1, 4))
        dilated = {"dilation": draw(st.integers(1, 2))} if kind == "max" else {}
        settings += _maybe(
            draw,
            stride=draw(st.sampled_from([1, 2, 3, None])),
            padding=draw(st.integers(0, 2)),
            ceil_mode=draw(st.booleans()),
            **dilated,
        )
    if layer:
        parts = {"max": "MaxPool", "avg": "AvgPool"}
        name = parts.get(kind) or f"Adaptive{kind.removeprefix('adaptive_').title()}Pool"
        return Program({"x": shape}, f"nn.{name}{count}d({settings})(x)")
    return Program({"x": shape}, f"F.{kind}_pool{count}d(x, {settings})")


@st.composite
def dense(draw: Draw) -> Program:
    shape = draw(shapes(0, 4))
    width = (shape or (3,))[-1] if draw(st.integers(0, 4)) else draw(st.integers(1, 7))
    made = draw(st.integers(1, 6))
    kind = draw(st.sampled_from(["Linear", "linear", "Bilinear", "Embedding", "embedding", "bag"]))
    if kind == "Linear":
        return Program({"x": shape}, f"nn.Linear({width}, {made}{_maybe(draw, bias=False)})(x)")
    if kind == "linear":
        return Program({"x": shape, "w": (made, width)}, "F.linear(x, w)")
    if kind == "Bilinear":
        other = (
            (*shape[:-1], draw(st.integers(1, 4))) if draw(st.integers(0, 3)) else draw(shapes())
        )
        two = (other or (2,))[-1]
        return Program({"x": shape, "z": other}, f"nn.Bilinear({width}, {two}, {made})(x, z)")
    if kind == "Embedding":
        return Program({"x": shape}, f"nn.Embedding(9, {made})(x.long())")
    if kind == "bag":
        return Program({"x": shape}, f"nn.EmbeddingBag(9, {made})(x.long())")
    return Program({"x": shape, "w": (9, made)}, "F.embedding(x.long(), w)")


@st.composite
def norms(draw: Draw) -> Program:
    shape = draw(shapes(1, 5))
    exact = draw(st.integers(0, 4)) > 0
    channels = shape[1] if len(shape) > 1 and exact else draw(st.integers(1, 7))
    count = draw(st.integers(1, 3))
    if draw(st.booleans()):
        shape = (3, channels, *shape)[: count + 2] if exact else shape
    kind = draw(st.sampled_from(["Batch", "Instance", "Group", "Layer", "layer", "group", "RMS"]))
    if kind == "Batch":
        return Program({"x": shape}, f"nn.BatchNorm{count}d({channels})(x)")
    if kind == "Instance":
        settings = _maybe(draw, affine=True, track_running_stats=draw(st.booleans()))
        return Program({"x": shape}, f"nn.InstanceNorm{count}d({channels}{settings})(x)")
    groups = draw(st.sampled_from([1, 1, 2, 3, channels]))
    if kind == "Group":
        return Program({"x": shape}, f"nn.GroupNorm({groups}, {channels})(x)")
    if kind == "group":
        return Program({"x": shape}, f"F.group_norm(x, {groups})")
    tail: Any = shape[draw(st.integers(0, len(shape) - 1)) :] if exact else (channels,)
    tail = tail[0] if len(tail) == 1 and draw(st.booleans()) else tail
    name = {"Layer": "nn.LayerNorm({})(x)", "layer": "F.layer_norm(x, {})"}.get(kind)
    tail = (tail,) if kind == "layer" and isinstance(tail, int) else tail
    return Program({"x": shape}, (name or "nn.RMSNorm({})(x)").format(repr(tail)))


@st.composite
def recurrences(draw: Draw) -> Program:
    shape = draw(shapes(1, 4) if draw(st.integers(0, 5)) == 0 else shapes(2, 3))
    width = shape[-1] if draw(st.integers(0, 4)) else draw(st.integers(1, 7))
    hidden, layers = draw(st.integers(2, 5)), draw(st.integers(1, 2))
    kind = draw(st.sampled_from(["RNN", "GRU", "LSTM", "LSTM", "GRUCell", "LSTMCell", "RNNCell"]))
    if kind.endswith("Cell"):
        return Program({"x": shape}, f"nn.{kind}({width}, {hidden})(x)")
    both, first = draw(st.booleans()), draw(st.booleans())
    settings = f"{', bidirectional=True' * both}{', batch_first=True' * first}"
    projected = draw(st.integers(1, hidden - 1)) if kind == "LSTM" and draw(st.booleans()) else 0
    settings += f", proj_size={projected}" * bool(projected)
    call = f"nn.{kind}({width}, {hidden}, {layers}{settings})"
    if draw(st.integers(0, 2)) or kind == "LSTM":
        return Program({"x": shape}, f"{call}(x)")
    batch = (shape[0] if first else shape[1],) if len(shape) == 3 else ()
    odd = draw(st.sampled_from([0, 0, 0, 1]))
    state = (layers * (1 + both), *(size + odd for size in batch), hidden)
    return Program({"x": shape, "h": state}, f"{call}(x, h)")


@st.composite
def attentions(draw: Draw) -> Program:
    heads = draw(st.integers(1, 3))
    width = heads * draw(st.integers(1, 3)) + draw(st.sampled_from([0, 0, 0, 0, 1]))
    rank = draw(st.sampled_from([2, 3, 3, 3, 4]))
    x = (*(draw(st.integers(1, 5)) for _ in range(rank - 1)), width)
    z = (*x[:-2], draw(st.integers(1, 5)), width)
    if draw(st.booleans()) and rank == 3:
        z = (draw(st.integers(1, 5)), x[1], width)
    first = draw(st.sampled_from(["", ", batch_first=True"]))
    kind = draw(st.sampled_from(["mha", "heads", "encoder", "layer", "decoder", "whole", "scaled"]))
    if kind == "mha":
        return Program({"x": x, "z": z}, f"nn.MultiheadAttention({width}, {heads}{first})(x, z, z)")
    if kind == "heads":
        call = f"nn.MultiheadAttention({width}, {heads}{first})(x, z, z"
        return Program({"x": x, "z": z}, f"{call}, average_attn_weights=False)")
    if kind == "scaled":
        last = draw(st.integers(1, 4))
        values = (*z[:-1], last)
        given = {"x": x, "z": z, "v": values}
        return Program(given, "F.scaled_dot_product_attention(x, z, v)")
    layer = f"nn.TransformerEncoderLayer({width}, {heads}, 8{first})"
    if kind == "layer":
        return Program({"x": x}, f"{layer}(x)")
    if kind == "encoder":
        return Program({"x": x}, f"nn.TransformerEncoder({layer}, 1)(x)")
    if kind == "decoder":
        layer = layer.replace("Encoder", "Decoder")
        return Program({"x": x, "z": z}, f"{layer}(x, z)")
    return Program({"x": x, "z": z}, f"nn.Transformer({width}, {heads}, 1, 1, 8{first})(z, x)")
