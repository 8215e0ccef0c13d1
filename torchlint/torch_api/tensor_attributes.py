"""Attributes of tensors: what reading gives, and what setting does."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    cutting,
    descents,
    dtypes,
    edges,
    filling,
    gradients,
    holdings,
    lateness,
    lost,
    shapes,
    sizing,
    squeezing,
    tensors,
    ties,
)
from torchlint.interpreter.cuts import By
from torchlint.interpreter.edges import EdgeKind
from torchlint.interpreter.events.autograd import DataUsed
from torchlint.interpreter.events.graph import GradientOf
from torchlint.interpreter.values import (
    FALSE,
    TRUE,
    UNKNOWN,
    Certainty,
    Const,
    Instance,
    Ref,
    Tensor,
)
from torchlint.project.index import External
from torchlint.torch_api import flags, weights
from torchlint.torch_api.registry import Attribute, assigned, attribute

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


def _tensor(attribute: Attribute) -> Tensor:
    record = attribute.machine.get(attribute.owner)
    assert isinstance(record, Tensor)
    return record


@attribute("tensor", "T", "mT", "H", "mH", "real", "imag")
def _view(read: Attribute) -> Value:
    return tensors.view(read.machine, read.owner, read.name, read.spot)


@attribute("tensor", "data")
def _data(read: Attribute) -> Value:
    """Changing ``.data`` leaves the version counter alone, as if it were other memory."""
    tensor = _tensor(read)
    if tensor.node is None or tensor.node.op.rpartition(".")[2] not in _MAYBE_PACKED:
        read.machine.emit(DataUsed, read.spot, replaced=False)
    made = tensors.new_tensor(
        read.machine,
        None,
        range=tensor.range,
        device=tensor.device,
        scalar=tensor.scalar,
        dtype=tensor.dtype,
        shape=tensor.shape,
        cuts=cutting.of_tensor(tensor, By.DATA, read.spot),
        edge=tensor.edge,
        origin=tensor.origin,
    )
    if tensor.node is not None and tensor.node.op == "parameter" and tensor.node.owner is not None:
        read.machine.trace.memories[made.address] = tensor.node.owner
        filling.share(read.machine, read.owner, made)
    return made


_MAYBE_PACKED = frozenset({"RNN", "GRU", "LSTM"})
"""Layers that give a packed sequence where they are given one, whose ``data`` is another thing."""


@attribute("tensor", "grad")
def _grad(read: Attribute) -> Value:
    gradients.gradient_read(read.machine, read.spot)
    read.machine.emit(GradientOf, read.spot, tensor=_tensor(read))
    return read.machine.opaque("grad")


@attribute("tensor", "shape")
def _shape(read: Attribute) -> Value:
    edges.measured(read.machine, read.owner, read.spot)
    return sizing.as_value(read.machine, read.owner)


@attribute("tensor", "dtype")
def _dtype(read: Attribute) -> Value:
    dtype = _tensor(read).dtype
    return UNKNOWN if dtype in {None, dtypes.FLOATING} else External(f"torch.{dtype}")


@attribute("tensor", "ndim")
def _rank(read: Attribute) -> Value:
    squeezing.asked(read.machine, read.owner, read.spot)
    rank = shapes.rank(_tensor(read).shape)
    return UNKNOWN if rank is None else Const(rank)


@attribute("tensor", "requires_grad")
def _requires_grad(read: Attribute) -> Value:
    node = _tensor(read).node
    lost.flag_read(read.machine, read.spot)
    if node is None:
        return FALSE
    return TRUE if node.certainty is Certainty.SURE else UNKNOWN


@attribute("tensor", "device")
def _device(read: Attribute) -> Value:
    return read.machine.new(Instance("torch.device", {"of": read.owner}))


@attribute("tensor", *"is_cuda grad_fn is_leaf".split())
@attribute("tensor", *"layout itemsize nbytes names output_nr retains_grad".split())
@attribute(
    "tensor", *"is_cpu is_meta is_mps is_nested is_quantized is_sparse is_xla is_xpu".split()
)
def _fact(read: Attribute) -> Value:
    return UNKNOWN


@assigned("tensor", "grad")
def _set_grad(written: Attribute, value: Value) -> None:
    gradients.maybe_cleared(written.machine)


@assigned("tensor", "requires_grad")
def _set_requires_grad(written: Attribute, value: Value) -> None:
    machine, tensor = written.machine, _tensor(written)
    flags.on_tensor(machine, written.owner, value, written.spot)
    holdings.require_grad(machine, written.owner, tensor, value, written.spot)


@assigned("tensor", "data")
def _set_data(written: Attribute, value: Value) -> None:
    ties.given(written.machine, _tensor(written), value, written.name, written.spot)
    lateness.derived(written.machine, _tensor(written), value, written.spot)
    if not isinstance(written.spot.node, ast.AugAssign):
        # What is added to was read before.
        written.machine.emit(DataUsed, written.spot, replaced=True)
        descents.written(written.machine, written.spot)
    given = tensors.as_tensor(written.machine, value)
    edge = given.edge if given is not None else None
    ones = edge.detail or (1,) if edge is not None and edge.kind is EdgeKind.ONES else ()
    alike = any(filling.is_start(Const(number)) for number in ones)
    filling.write(written.machine, written.owner, written.spot, alike=alike)
    node = _tensor(written).node
    if node is not None and node.op == "parameter" and node.owner is not None:
        dtype = given.dtype if given is not None else None
        weights.exchanged(written.machine, frozenset({node.owner}), dtype)
        _resize(written, Ref(node.owner), value)
    left = replace(_tensor(written), range=None, formula=None, span=None, repeats=None)
    written.machine.set(written.owner, left)


def _resize(written: Attribute, layer: Ref, value: Value) -> None:
    """A weight of a layer is other data, which may be of other sizes; what is added to stays."""
    record = written.machine.get(layer)
    if isinstance(written.spot.node, ast.AugAssign) or not isinstance(record, Instance):
        return
    if record.attributes.get("weight") == written.owner:
        weights.resized(written.machine, layer, value)
