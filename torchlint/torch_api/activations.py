"""Layers one after the other, of which one does away with what the other does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import tensors
from torchlint.interpreter.events.layers import Activated, ActivatedTwice, BiasNormed
from torchlint.interpreter.values import TRUE, Instance
from torchlint.torch_api import kinds
from torchlint.torch_api.registry import watch

if TYPE_CHECKING:
    from torchlint.interpreter.values import Node
    from torchlint.torch_api.registry import Applied

_ALIKE = (
    "relu ReLU leaky_relu LeakyReLU elu ELU gelu GELU silu SiLU tanh Tanh selu SELU softplus "
    "Softplus mish Mish hardswish Hardswish"
).split()
_LAYERS = ("linear", "conv1d", "conv2d", "conv3d", "convtranspose")


def _plain(op: str) -> str:
    """The name of an operation, however it is written."""
    return op.partition("(")[0].rpartition(".")[2].strip("_").lower().replace("_", "")


def _before(applied: Applied) -> Node | None:
    """The operation that has given the input."""
    tensor = tensors.as_tensor(applied.machine, applied.first)
    return tensor.node if tensor is not None else None


@watch(*_ALIKE)
def _activate(applied: Applied) -> None:
    node = _before(applied)
    if node is not None and _plain(node.op) == _plain(applied.op):
        _tell(applied, node)
    else:
        applied.machine.emit(Activated, applied.spot, frame=applied.machine.frame)


@watch("softmax", "Softmax", "log_softmax", "LogSoftmax")
def _softmax(applied: Applied) -> None:
    """What a layer scores loses its negative half to a ReLU."""
    node = _before(applied)
    if node is None or _plain(node.op) != "relu":
        return
    if any(_plain(parent.op).startswith(_LAYERS) for parent in node.parents):
        _tell(applied, node)


@watch("BatchNorm1d", "BatchNorm2d", "BatchNorm3d")
def _normalise(applied: Applied) -> None:
    """The mean that a batch norm takes away has the bias of the layer before in it."""
    node = _before(applied)
    if node is None or not _plain(node.op).startswith(_LAYERS) or applied.machine.choices:
        return
    for parent in node.parents:
        layer = applied.machine.live.heap.get(parent.owner) if parent.owner is not None else None
        if isinstance(layer, Instance) and layer.attributes.get("bias", TRUE) == TRUE:
            name, norm = kinds.name_of(layer.cls), applied.op.rpartition(".")[2]
            applied.machine.emit(BiasNormed, applied.spot, layer=name, norm=norm, built=layer.spot)


def _tell(applied: Applied, node: Node) -> None:
    if applied.machine.choices:
        # One of several layers is applied, and another one may have been before.
        return
    name, before = (op.rpartition(".")[2].strip("_") for op in (applied.op, node.op))
    applied.machine.emit(
        ActivatedTwice,
        applied.spot,
        name=name,
        before=before,
        first=node.spot,
        frame=applied.machine.frame,
    )
