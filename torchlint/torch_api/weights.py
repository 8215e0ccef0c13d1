"""Weights: of what type they are, and what of another type they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import arraytypes, choosing, dtypes, facts, holdings, sizing
from torchlint.interpreter.cuts import PLAIN, Number
from torchlint.interpreter.events.devices import ArrayTaken, TypesMeet
from torchlint.interpreter.values import NONE, UNKNOWN, Instance, Ref, Tensor
from torchlint.project.index import External
from torchlint.torch_api import generated, kinds
from torchlint.torch_api.registry import Applied, assigned, hear, watch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.torch_api.registry import Attribute, Call

_PRODUCTS = frozenset(
    "Linear Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d RNN LSTM "
    "GRU RNNCell LSTMCell GRUCell".split()
)
"""Layers that multiply their weights with what they are given, which has to be of one type."""

_NORMS = frozenset("BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm GroupNorm".split())
"""Layers that take the two types of 16 bits as well, where their weights are float32."""

_MADE_OF_WEIGHTS = _PRODUCTS | {"Embedding"}


def cast(machine: Machine, model: Ref, dtype: str | None) -> None:
    """All floating point parameters and buffers of a module are cast; None: to what is unknown."""
    asked = External(f"torch.{dtype}") if dtype is not None else UNKNOWN
    for address in holdings.modules_under(machine, frozenset({model.address})):
        record = machine.live.heap.get(address)
        if not isinstance(record, Instance):
            continue
        if isinstance(record.cls, str) and generated.is_module(record.cls):
            attributes = {**record.attributes, "dtype": asked}
            machine.live.heap[address] = replace(record, attributes=attributes)
        for value in record.attributes.values():
            held = machine.get(value)
            if isinstance(held, Tensor) and not dtypes.is_integer(held.dtype):
                machine.set(value, replace(held, dtype=dtype))


def exchanged(machine: Machine, owners: frozenset[int], dtype: str | None) -> None:
    """Parameters of modules get the data of others: layers of another type are of none known."""
    for address in holdings.modules_under(machine, owners):
        match machine.live.heap.get(address):
            case Instance(cls=str()) as layer if dtype_of(machine, layer) != dtype:
                cast(machine, Ref(address), None)


@assigned("module", "weight")
def _set_weight(written: Attribute, value: Value) -> None:
    """A layer gets another weight."""
    layer, weight = written.machine.get(written.owner), written.machine.get(value)
    if isinstance(layer, Instance) and isinstance(layer.cls, str) and isinstance(weight, Tensor):
        assert isinstance(written.owner, Ref)
        exchanged(written.machine, frozenset({written.owner.address}), weight.dtype)
        resized(written.machine, written.owner, value)


@hear("function", "torch.nn.utils.vector_to_parameters")
def _from_vector(call: Call) -> None:
    """Parameters get the parts of a vector for their data, and so its type."""
    vector = call.machine.get(call.get("vec", 0) or UNKNOWN)
    given = holdings.parameters_in(call.machine, call.get("parameters", 1) or UNKNOWN)
    if given is not None:
        dtype = vector.dtype if isinstance(vector, Tensor) else None
        exchanged(call.machine, given.owners, dtype)


_SHAPES: dict[str, tuple[str, ...]] = {
    "Linear": ("out_features", "in_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "GroupNorm": ("num_channels",),
    **{f"BatchNorm{n}d": ("num_features",) for n in (1, 2, 3)},
}
"""The settings that are the sizes of a layer's weight; its bias is as long as the first of them."""


def shaped(machine: Machine, weight: Ref, layer: Instance, name: str) -> None:
    """Note the shape of a layer's weight or bias, which its settings tell."""
    settings = _SHAPES.get(kinds.name_of(layer.cls))
    if settings is None or layer.escaped:
        return
    wanted = settings if name == "weight" else settings[:1]
    sizing.learn(machine, weight, _sizes(machine, layer, wanted))


def _sizes(machine: Machine, layer: Instance, settings: tuple[str, ...]) -> Shape:
    return tuple(sizing.dimension(machine, layer.attributes.get(setting)) for setting in settings)


_OF_CONVOLUTIONS = ("out_channels", "in_channels", "kernel_size")
"""The settings that the sizes of a convolution's weight say anew."""


def resized(machine: Machine, owner: Ref, weight: Value) -> None:
    """A layer is given a weight, by which it goes, whatever sizes it was told when it was built."""
    layer, given = machine.get(owner), machine.get(weight)
    if not isinstance(layer, Instance):
        return
    short = kinds.name_of(layer.cls)
    settings = _SHAPES.get(short)
    shape = given.shape if isinstance(given, Tensor) else None
    if settings is not None and shape == _sizes(machine, layer, settings):
        return
    told = settings or (_OF_CONVOLUTIONS if short.startswith("Conv") else ())
    unknown: dict[str, Value] = {name: PLAIN for name in told if name in layer.attributes}
    machine.set(owner, replace(layer, attributes={**layer.attributes, **unknown}))


def dtype_of(machine: Machine, layer: Instance) -> str | None:
    """The type of a layer's weights; None where anybody may have cast them."""
    if machine.trace.forward or layer.escaped or machine.index.texts.set_default_dtype:
        return None
    asked = layer.attributes.get("dtype", NONE)
    return "float32" if asked == NONE else dtypes.named(asked)


def met(
    machine: Machine, layer: Instance, short: str, inputs: Mapping[str, Value], spot: Spot
) -> None:
    """A layer is given something; what its weights cannot be multiplied with is an event."""
    if short not in _PRODUCTS | _NORMS:
        return
    wanted = dtype_of(machine, layer)
    given = machine.get(next(iter(inputs.values()), UNKNOWN))
    if wanted is None or not isinstance(given, Tensor):
        return
    if short in _NORMS and (dtypes.is_narrow(given.dtype) or dtypes.is_narrow(wanted)):
        return
    _meet(machine, short, given, wanted, spot, weights=True)


def met_whole(machine: Machine, model: Instance, arguments: Arguments, spot: Spot) -> None:
    """A whole model from elsewhere is given something, of which the first thing is to multiply."""
    wanted = dtype_of(machine, model)
    given = machine.get(next(iter(arguments.values()), UNKNOWN))
    if wanted is not None and isinstance(given, Tensor):
        _meet(machine, kinds.name_of(model.cls), given, wanted, spot, weights=True)


def result(machine: Machine, layer: Instance, short: str, made: Value) -> None:
    """What is multiplied with weights is of their type, but under autocast."""
    dtype = dtype_of(machine, layer) if short in _MADE_OF_WEIGHTS else None
    record = machine.get(made)
    if dtype is not None and machine.live.autocast is None and isinstance(record, Tensor):
        machine.set(made, replace(record, dtype=dtype))


def _meet(
    machine: Machine, name: str, given: Tensor, wanted: str, spot: Spot, *, weights: bool = False
) -> None:
    dtype = given.dtype
    if dtype in {None, dtypes.FLOATING, wanted} or machine.index.texts.set_default_dtype:
        return
    floats = dtypes.is_float(dtype) and dtypes.is_float(wanted)
    narrow = dtypes.is_narrow(dtype) or dtypes.is_narrow(wanted)
    if floats and narrow and (machine.live.autocast is not None or not machine.trace.program):
        # A framework may have switched autocast on, which brings these together.
        return
    assert dtype is not None
    # Of several layers that it may be, the data's type may tell which.
    choosing.venture(
        machine,
        TypesMeet,
        spot,
        name=name,
        given=dtype,
        wanted=wanted,
        weights=weights,
        storages=given.storages,
    )


@watch("matmul", "mm", "bmm", "mv", "dot")
def _multiplied(applied: Applied) -> None:
    """Two tensors are multiplied as matrices, which have to be of one type."""
    pair = [applied.machine.get(value) for value in list(applied.inputs.values())[:2]]
    one, other = pair if len(pair) == 2 else (None, None)
    if not isinstance(one, Tensor) or not isinstance(other, Tensor):
        return
    if other.dtype is None or other.dtype == dtypes.FLOATING:
        return
    if applied.machine.trace.forward and _are_floats(one, other):
        # What is cast with the module is not known.
        return
    short = "@" if applied.op.endswith("__") else applied.op.rpartition(".")[2]
    wide = other.dtype == arraytypes.DOUBLE
    given, wanted = (other, one.dtype) if wide else (one, other.dtype)
    if wanted is not None and wanted != dtypes.FLOATING:
        _meet(applied.machine, short, given, wanted, applied.spot)


def _are_floats(one: Tensor, other: Tensor) -> bool:
    return dtypes.is_float(one.dtype) and dtypes.is_float(other.dtype)


@watch("sub", "rsub", "isub", "subtract", "neg")
def _subtracted(applied: Applied) -> None:
    """Truths cannot be taken from anything, nor anything from truths."""
    for value in list(applied.inputs.values())[:2]:
        record = applied.machine.get(value)
        if not isinstance(record, Tensor) or record.dtype != "bool" or applied.machine.tries:
            continue
        if facts.come_together(applied.machine, value):
            applied.machine.emit(
                TypesMeet,
                applied.spot,
                name="-",
                given="bool",
                wanted="",
                weights=False,
                storages=record.storages,
            )
            return


_OF_FLOATS = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})


_OF_CLASSES = frozenset({"cross_entropy", "nll_loss"})


def compared(machine: Machine, loss: str, inputs: Mapping[str, Value], spot: Spot) -> None:
    """Some losses are computed of floats only, and the plainer one of floats of one type.

    Those of classes take weights of these that are of the type of the scores.
    """
    if loss not in _OF_FLOATS | _OF_CLASSES:
        return
    other = "weight" if loss in _OF_CLASSES else "target"
    input_, target = (machine.get(inputs.get(name, NONE)) for name in ("input", other))
    if not isinstance(input_, Tensor) or not isinstance(target, Tensor):
        return
    if not dtypes.is_float(input_.dtype) or input_.dtype is None:
        return
    same = not dtypes.is_integer(target.dtype) and (
        loss.endswith("logits") or _are_floats_of_one(input_, target)
    )
    if not same:
        _meet(machine, loss, target, input_.dtype, spot)


def _are_floats_of_one(one: Tensor, other: Tensor) -> bool:
    return dtypes.FLOATING in {one.dtype, other.dtype} or one.dtype == other.dtype


def taken(machine: Machine, given: Value | None, made: Value, spot: Spot) -> None:
    """A tensor is made of an array of float64, as which it was not asked for."""
    record = machine.get(made)
    if (
        isinstance(given, Number)
        and given.dtype == arraytypes.DOUBLE
        and isinstance(record, Tensor)
        and record.dtype == given.dtype
    ):
        machine.emit(ArrayTaken, spot, storages=record.storages)
