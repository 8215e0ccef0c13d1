"""Layers that do not do the same in training and in evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.modes import NORM, UNSEEN
from torchlint.interpreter.values import Const, Instance

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

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


def kind_of_whole(name: str) -> str:
    """The same of a whole model from elsewhere, by its name."""
    short = name.rpartition(".")[2]
    if name.startswith("torchvision.models."):
        if any(family in short for family in _NORMALISED):
            return NORM
        if short.startswith(_DROPPED):
            return NORM if short.endswith("_bn") else DROPOUT
    return UNSEEN
