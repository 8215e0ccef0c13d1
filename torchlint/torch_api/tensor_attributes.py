"""Attributes of tensors: what reading gives, and what setting does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from torchlint.interpreter import dtypes, gradients, holdings, shapes, tensors
from torchlint.interpreter.values import UNKNOWN, Const, Tensor
from torchlint.project.index import External
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
    return tensors.new_tensor(
        read.machine,
        None,
        range=tensor.range,
        device=tensor.device,
        scalar=tensor.scalar,
        dtype=tensor.dtype,
        shape=tensor.shape,
    )


@attribute("tensor", "grad")
def _grad(read: Attribute) -> Value:
    gradients.gradient_read(read.machine, read.spot)
    return read.machine.opaque("grad")


@attribute("tensor", "shape")
def _shape(read: Attribute) -> Value:
    return shapes.as_value(_tensor(read).shape)


@attribute("tensor", "dtype")
def _dtype(read: Attribute) -> Value:
    dtype = _tensor(read).dtype
    return UNKNOWN if dtype in {None, dtypes.FLOATING} else External(f"torch.{dtype}")


@attribute("tensor", "ndim")
def _rank(read: Attribute) -> Value:
    rank = shapes.rank(_tensor(read).shape)
    return UNKNOWN if rank is None else Const(rank)


@attribute("tensor", *"device is_cuda requires_grad grad_fn is_leaf".split())
@attribute("tensor", *"layout itemsize nbytes names".split())
def _fact(read: Attribute) -> Value:
    return UNKNOWN


@assigned("tensor", "grad")
def _set_grad(written: Attribute, value: Value) -> None:
    gradients.maybe_cleared(written.machine)


@assigned("tensor", "requires_grad")
def _set_requires_grad(written: Attribute, value: Value) -> None:
    machine, tensor = written.machine, _tensor(written)
    if value == Const(True):
        holdings.thaw_leaf(machine, tensor, written.spot)
    if value == Const(True) and tensor.node is None:
        changed = replace(tensor, node=holdings.leaf(machine), leaf=True)
        machine.set(written.owner, changed)
    elif value == Const(False) and tensor.leaf:
        holdings.freeze_leaf(machine, tensor, written.spot)
        machine.set(written.owner, replace(tensor, node=None, leaf=False))


@assigned("tensor", "data")
def _set_data(written: Attribute, value: Value) -> None:
    written.machine.set(written.owner, replace(_tensor(written), range=None))
