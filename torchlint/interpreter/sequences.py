"""Layers of sequences that take time first, and are given, or read, as if the batch came first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, roles, shapes
from torchlint.interpreter.events.sequences import Sequenced, StepsRead
from torchlint.interpreter.roles import Role
from torchlint.interpreter.values import FALSE, TRUE, Const, Instance, Ref, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.dimensions import Dim
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_RECURRENT = frozenset({"RNN", "GRU", "LSTM"})
_HELD = ("encoder_layer", "decoder_layer")
_MAKING = frozenset("unsqueeze view reshape rows select expand".split())
_SAMPLES_FIRST = (
    (Role.SAMPLES, Role.PLACES, Role.CHANNELS),
    (Role.SAMPLES, Role.CHANNELS, Role.PLACES),
)
KINDS = _RECURRENT | frozenset(
    "MultiheadAttention Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer "
    "TransformerDecoderLayer".split()
)
"""Layers that can be told which dimension comes first."""


def applied(
    machine: Machine, layer: Instance, inputs: Mapping[str, Value], result: Value, spot: Spot
) -> None:
    """Note that a layer which takes time first is applied to one tensor, and what others tell."""
    kind = layer.cls.rpartition(".")[2] if isinstance(layer.cls, str) else ""
    if kind in _RECURRENT and layer.attributes.get("batch_first") == TRUE:
        _have_samples_first(machine, result)
    if kind not in KINDS or machine.choices or not _is_time_first(machine, layer):
        return
    given = next(iter(inputs.values()), FALSE)
    tensor = machine.get(given)
    if not isinstance(tensor, Tensor) or not isinstance(result, Ref) or layer.escaped:
        return
    shape = tensor.shape
    rank = shapes.rank(shape)
    first = shape[0] if shape else None
    fed = rank in {2, 3} and first is not None and dimensions.is_batch(first)
    machine.emit(
        Sequenced,
        spot,
        kind=kind,
        result=result.address,
        shape=shape,
        built=layer.spot,
        fed=fed,
        state=_samples(machine, inputs.get("hx")),
        made=_is_put_so(tensor),
        placed=roles.of(machine, given) in _SAMPLES_FIRST,
        node=tensor.node,
    )


def _have_samples_first(machine: Machine, result: Value) -> None:
    record = machine.get(result)
    if isinstance(record, Tensor) and isinstance(result, Ref) and shapes.rank(record.shape) == 3:
        machine.trace.roles[result.address] = _SAMPLES_FIRST[0]


def _is_time_first(machine: Machine, layer: Instance) -> bool:
    """Whether a layer surely takes time first."""
    for name in _HELD:
        inner = machine.get(layer.attributes.get(name, FALSE))
        if isinstance(inner, Instance) and isinstance(inner.cls, str):
            return inner.attributes.get("batch_first", FALSE) == FALSE
        if name in layer.attributes:
            return False
    return layer.attributes.get("batch_first", FALSE) == FALSE


def _samples(machine: Machine, state: Value | None) -> Dim:
    """For how many samples a first state is; None where that is not known."""
    given = state.items[0] if isinstance(state, Tuple) and state.items else state
    record = machine.get(given) if given is not None else None
    whole = isinstance(record, Tensor) and shapes.rank(record.shape) == 3
    return shapes.size(record.shape, 1) if isinstance(record, Tensor) and whole else None


def _is_put_so(tensor: Tensor) -> bool:
    """Whether the last operation may have made a dimension for a single sample."""
    op = tensor.node.op.rpartition(".")[2] if tensor.node is not None else ""
    one = tensor.shape is not None and 1 in tensor.shape[:2]
    return op.strip("_") in _MAKING and (one or not shapes.is_whole(tensor.shape))


def taken(machine: Machine, owner: Value, index: Value, spot: Spot) -> None:
    """Note that the last of the second dimension is taken, of all of the first."""
    match index:
        case Tuple(items=(Const(value=slice() as whole), Const(value=-1), *_)) if whole == slice(
            None
        ):
            if isinstance(owner, Ref):
                note = "`[:, -1]` is the last sample of the batch here"
                machine.emit(StepsRead, spot, of=owner.address, note=note)


def pooled(machine: Machine, name: str, inputs: Mapping[str, Value], spot: Spot) -> None:
    """Note that what is along the second dimension is made one, as the steps of a sequence are."""
    owner = inputs.get("input")
    if isinstance(owner, Ref) and inputs.get("dim") == Const(1):
        note = f"`{name}` over dimension 1 is that of all samples here"
        machine.emit(StepsRead, spot, of=owner.address, note=note)
