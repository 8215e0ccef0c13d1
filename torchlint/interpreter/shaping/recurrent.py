"""Recurrent layers, attention and transformers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.elementwise import broadcast, into
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import Instance, Tuple

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request

Several = tuple["Shape | None", ...]


def recurrent(request: Request) -> Several | None:
    """The output of an RNN, GRU or LSTM, and the last state, or the two of them."""
    hidden, projected = request.dim("hidden_size"), request.dim("proj_size", default=0)
    both, layers = request.flag("bidirectional"), request.dim("num_layers", default=1)
    first = request.flag("batch_first")
    width = hidden if projected == 0 else projected
    ways: Dim = None if both is None else 2 if both else 1
    if projected is None or (request.name != "lstm" and projected != 0):
        width = None
    shape = request.fit(
        "input", (MORE, request.dim("input_size")), ranks=(2, 3), by="input_size", single=(2, 3)
    )
    batch: Shape = (MORE,)
    if shapes.rank(shape) == 2:
        batch = ()
    elif shapes.rank(shape) == 3:
        batch = (None if first is None else shape[0] if first else shape[1],)
    stacked = dimensions.multiply(ways, layers)
    state: Shape = (stacked, *batch, width)
    cell: Shape = (stacked, *batch, hidden)
    _fit_states(request, state, cell)
    output = (*shape[:-1], dimensions.multiply(ways, width))
    return (output, state, cell) if request.name == "lstm" else (output, state)


def _fit_states(request: Request, *patterns: Shape) -> None:
    """The first state, where one is given, is as the last one will be."""
    given = request.value("hx")
    if given is None:
        return
    states = given.items if isinstance(given, Tuple) else (given,)
    if request.name.startswith("lstm") and len(states) != 2:
        return
    for value, pattern in zip(states, patterns, strict=False):
        if not request.is_tensor(value):
            continue
        shape = shapes.of_value(request.machine, value)
        found = shapes.fitted(shape, pattern)
        if isinstance(found, shapes.Misfit):
            why = Why.RANK if found.dim is None else Why.SIZE
            request.refuse(why, "hx", wanted=found.wanted, given=found.given, dim=found.dim)


def cell(request: Request) -> Several | None:
    """One step of a recurrent layer."""
    hidden = request.dim("hidden_size")
    shape = request.fit(
        "input", (MORE, request.dim("input_size")), ranks=(1, 2), by="input_size", single=(1, 2)
    )
    state = (*shape[:-1], hidden)
    _fit_states(request, state, state)
    return (state, state) if request.name == "lstmcell" else (state,)


def attention(request: Request) -> Several | None:
    """What attention gives for each query, and its weights."""
    width, heads = request.dim("embed_dim"), request.dim("num_heads")
    if dimensions.indivisible([width], [heads]):
        request.refuse(Why.ARGUMENTS, wanted=heads, given=width, by="embed_dim")
    first = request.flag("batch_first")
    query = request.fit("query", (MORE, width), ranks=(2, 3), by="embed_dim", single=(2, 3))
    rank = shapes.rank(query)
    ranks = (rank,) if rank is not None else (2, 3)
    widths = request.dim("kdim", default=width), request.dim("vdim", default=width)
    for name, wanted in zip(("key", "value"), widths, strict=True):
        if request.is_tensor(request.inputs.get(name)):
            request.fit(name, (MORE, wanted), ranks=ranks, by="embed_dim")
    key, value = request.shape("key"), request.shape("value")
    if rank is None or first is None:
        return query, None
    at = 0 if first or rank == 2 else 1
    if shapes.rank(key) != rank or key is None:
        return query, None
    if shapes.rank(value) == rank and value is not None:
        for dim in range(rank - 1):
            request.need(value[dim], key[dim], "value", dim, "key")
    length = 1 - at if rank == 3 else 0
    if rank == 3:
        request.need(key[at], query[at], "key", at, "query")
    _fit_mask(request, "attn_mask", query[length], key[length])
    _fit_padding(request, "key_padding_mask", key, at)
    return query, _weights(request, query, key, at, length)


def _fit_mask(request: Request, name: str, queries: Dim, keys: Dim) -> None:
    """A mask is for each query and each key; one with heads has as many for each of a batch."""
    shape = request.shape(name)
    if shape is not None and shapes.is_whole(shape) and len(shape) in {2, 3}:
        request.need(shape[-2], queries, name, len(shape) - 2, "query")
        request.need(shape[-1], keys, name, len(shape) - 1, "query")


def _fit_padding(request: Request, name: str, given: Shape, batch: int) -> None:
    """What is padded is told for each item of each sequence."""
    shape = request.shape(name)
    if shape is None or not shapes.is_whole(shape) or len(shape) + 1 != len(given):
        return
    wanted = (given[batch], given[1 - batch]) if len(given) == 3 else given[:1]
    for at, (size, other) in enumerate(zip(shape, wanted, strict=True)):
        request.need(size, other, name, at, "key")


def _weights(request: Request, query: Shape, key: Shape, batch: int, length: int) -> Shape | None:
    """The weights of attention: the mean of all heads, unless each is asked for."""
    if request.flag("need_weights", default=True) is not True:
        return None
    averaged = request.flag("average_attn_weights", default=True)
    if averaged is None:
        return None
    heads = () if averaged else (request.dim("num_heads"),)
    before = (query[batch],) if len(query) == 3 else ()
    return (*before, *heads, query[length], key[length])


def scaled_attention(request: Request) -> Shape | None:
    """``scaled_dot_product_attention``: what is before the last two dimensions broadcasts."""
    query = request.fit("query", (MORE, None, None))
    key = request.fit("key", (MORE, None, None))
    value = request.fit("value", (MORE, None, None))
    request.need(key[-1], query[-1], "key", -1, "query")
    request.need(value[-2], key[-2], "value", -2, "key")
    if request.inputs.get("enable_gqa") is not None:
        return (MORE, query[-2], value[-1])
    before = broadcast(request, query[:-2], key[:-2], "query", "key")
    before = broadcast(request, before, value[:-2], "query", "value")
    mask = request.shape("attn_mask")
    if mask is not None and before is not None:
        weights = (*before, query[-2], key[-2])
        broadcast(request, mask, weights, "attn_mask", "query")
        into(request, weights, mask, "query", "attn_mask")
    return (*(before if before is not None else (MORE,)), query[-2], value[-1])


def transformer(request: Request) -> Shape | None:
    """The shape of what is transformed, whose last dimension is the model's width."""
    settings = _settings(request)
    if settings is None:
        return None
    width, heads, first = settings
    if dimensions.indivisible([width], [heads]):
        request.refuse(Why.ARGUMENTS, wanted=heads, given=width, by="d_model")
    if request.name.startswith("transformerencoder"):
        shape = request.fit("src", (MORE, width), ranks=(2, 3), by="d_model", single=(2, 3))
        if shapes.rank(shape) == 3 and first is not None:
            length = shape[1 if first else 0]
            _fit_mask(request, "mask", length, length)
            _fit_mask(request, "src_mask", length, length)
            _fit_padding(request, "src_key_padding_mask", shape, 0 if first else 1)
        return shape
    source = "src" if request.name == "transformer" else "memory"
    target = request.fit("tgt", (MORE, width), ranks=(2, 3), by="d_model", single=(2, 3))
    rank = shapes.rank(target)
    ranks = (2, 3) if rank is None else (rank,)
    given = request.fit(source, (MORE, width), ranks=ranks, by="d_model")
    if rank == 3 and shapes.rank(given) == 3 and first is not None:
        at = 0 if first else 1
        request.need(given[at], target[at], source, at, "tgt")
    return target


def _settings(request: Request) -> tuple[Dim, Dim, bool | None] | None:
    """The width of a transformer, its heads, and whether batches come first."""
    held = request.inputs.get("encoder_layer", request.inputs.get("decoder_layer"))
    if held is None:
        named = request.name == "transformer"
        width = request.dim("d_model", default=512 if named else None)
        heads = request.dim("nhead", default=8 if named else None)
        return width, heads, request.flag("batch_first")
    layer = request.machine.get(held)
    if not isinstance(layer, Instance) or not isinstance(layer.cls, str):
        return None
    inner = request.within(layer.attributes)
    return inner.dim("d_model"), inner.dim("nhead"), inner.flag("batch_first")
