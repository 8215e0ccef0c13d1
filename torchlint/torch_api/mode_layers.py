"""Layers that do not do the same in training and in evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.modes import NORM, UNSEEN
from torchlint.interpreter.holdings import modules_under
from torchlint.interpreter.values import Const, Instance
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Ref, Value

DROPOUT = "dropout"
_RECURRENT = frozenset({"RNN", "GRU", "LSTM"})
_TRANSFORMERS = frozenset({"Transformer", "TransformerEncoderLayer", "TransformerDecoderLayer"})
_STACKS = {"TransformerEncoder": "encoder_layer", "TransformerDecoder": "decoder_layer"}
_NORMALISED = (
    # Families of torchvision.models whose layers include batch norm.
    "resnet resnext wide_resnet densenet mobilenet efficientnet inception googlenet mnasnet regnet "
    "shufflenet"
).split()
_DROPPED = ("alexnet", "vgg", "squeezenet")
_HEAD = "classifier"
"""What holds all the dropout of these."""


def under(machine: Machine, model: Ref) -> Iterator[tuple[int, Instance, str]]:
    """The layers of a model that do not do the same in training and in evaluation."""
    for address in sorted(modules_under(machine, frozenset({model.address}))):
        layer = machine.live.heap.get(address)
        if not isinstance(layer, Instance) or not isinstance(layer.cls, str):
            continue
        kind = kind_of(machine, layer, layer.cls.rpartition(".")[2])
        if kind is None and layer.cls.startswith(kinds.PRETRAINED):
            kind = kind_of_whole(layer, layer.cls)
        if kind is not None:
            yield address, layer, kind


def kind_of(machine: Machine, instance: Instance, short: str) -> str | None:
    """What makes a layer of torch depend on the mode; None where nothing does."""
    settings = instance.attributes
    if "Dropout" in short or short in _TRANSFORMERS:
        rate = settings.get("p") or settings.get("dropout")
        return None if _is_zero(rate) else DROPOUT
    if "BatchNorm" in short:
        return None if settings.get("track_running_stats") == Const(False) else NORM
    if "InstanceNorm" in short:
        return NORM if settings.get("track_running_stats") == Const(True) else None
    if short in _RECURRENT or short == "MultiheadAttention":
        rate = settings.get("dropout")
        return DROPOUT if isinstance(rate, Const) and not _is_zero(rate) else None
    if short in _STACKS:
        layer = settings.get(_STACKS[short])
        inner = machine.get(layer) if layer is not None else None
        if isinstance(inner, Instance) and isinstance(inner.cls, str):
            return kind_of(machine, inner, inner.cls.rpartition(".")[2])
    return "RReLU" if short == "RReLU" else None


def _is_zero(rate: Value | None) -> bool:
    return isinstance(rate, Const) and rate.value in (0, None)


def kind_of_whole(whole: Instance, name: str) -> str | None:
    """The same of a whole model from elsewhere, by its name, but for what was put into it."""
    short = name.rpartition(".")[2]
    if name.startswith(kinds.GRAPHS):
        # Unless they are told so, they leave nothing out.
        return None
    if name.startswith("torchvision.models."):
        if any(family in short for family in _NORMALISED):
            return NORM
        if short.startswith(_DROPPED):
            if short.endswith("_bn"):
                return NORM
            return None if _HEAD in whole.attributes else DROPOUT
    return UNSEEN
