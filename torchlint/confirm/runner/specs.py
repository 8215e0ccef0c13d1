"""Descriptions of inputs: what a tensor argument looks like, apart from its values."""

from __future__ import annotations

import math
import types
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.conv import _ConvNd

BATCH, TIME, SIDE = 2, 8, 32
_MOST_ELEMENTS = 6_000_000


def _mask(shape: tuple[int, ...]) -> torch.Tensor:
    """Neither all nor nothing of a sequence is masked, whatever is meant by either."""
    mask = torch.ones(shape, dtype=torch.bool)
    if shape:
        mask[..., max(1, shape[-1] - 1) :] = False
    return mask


@dataclass(frozen=True)
class Spec:
    """An input: ``kind`` is float, unit (between 0 and 1), complex, long, bool, list, tuple, dict,
    record (whose parts are attributes) or plain.

    Integers lie below ``high``; ``items`` are the parts of a container, ``keys`` their names,
    ``value`` is what a plain input is.
    """

    kind: str
    shape: tuple[int, ...] = ()
    high: int = 2
    items: tuple[Spec, ...] = ()
    keys: tuple[str, ...] = ()
    value: Any = None

    def make(self, generator: torch.Generator) -> Any:
        """Values drawn from the generator."""
        if math.prod(self.shape) > _MOST_ELEMENTS:
            raise ValueError("an input of that size is too large to try")
        if self.kind == "float":
            return torch.randn(self.shape, generator=generator)
        if self.kind == "complex":
            return torch.randn(self.shape, generator=generator, dtype=torch.cfloat)
        if self.kind == "unit":
            return torch.rand(self.shape, generator=generator)
        if self.kind == "long":
            return torch.randint(0, max(1, self.high), self.shape, generator=generator)
        if self.kind == "bool":
            return _mask(self.shape)
        if self.kind == "plain":
            return self.value
        made = [item.make(generator) for item in self.items]
        if self.kind == "dict":
            return dict(zip(self.keys, made, strict=True))
        if self.kind == "record":
            return types.SimpleNamespace(**dict(zip(self.keys, made, strict=True)))
        return tuple(made) if self.kind == "tuple" else made

    def leaves(self, path: str) -> list[tuple[str, Spec]]:
        """The parts that are no containers, with their paths below the given one."""
        if not self.items:
            return [(path, self)]
        return [
            leaf for index, item in enumerate(self.items) for leaf in item.leaves(f"{path}/{index}")
        ]

    def replaced(self, path: str, spec: Spec) -> Spec:
        """The same with another part at the path."""
        if not path:
            return spec
        index, _, inner = path.partition("/")
        items = list(self.items)
        items[int(index)] = items[int(index)].replaced(inner, spec)
        return replace(self, items=tuple(items))

    def part(self, value: Any, index: int) -> Any:
        """A part of what was made of this."""
        if self.kind == "record":
            return getattr(value, self.keys[index])
        return value[self.keys[index]] if self.kind == "dict" else value[index]

    def resized(self, axis: int, size: int) -> Spec:
        """The same with another size along an axis."""
        shape = list(self.shape)
        shape[axis] = size
        return replace(self, shape=tuple(shape))


def floats(*shape: int) -> Spec:
    """A float tensor."""
    return Spec("float", shape)


def longs(high: int, *shape: int) -> Spec:
    """An integer tensor with values below ``high``."""
    return Spec("long", shape, high)


def plain(value: Any) -> Spec:
    """A value that is no tensor."""
    return Spec("plain", value=value)


def of_layer(layer: nn.Module) -> list[Spec]:
    """What a layer of torch takes, the most usual first; empty where it takes anything."""
    if isinstance(layer, _ConvNd):
        return [_image(layer.in_channels, layer.weight.dim() - 2)]
    if isinstance(layer, nn.Linear):
        return [floats(BATCH, layer.in_features), floats(BATCH, TIME, layer.in_features)]
    if isinstance(layer, (nn.Embedding, nn.EmbeddingBag)):
        return [longs(layer.num_embeddings, BATCH, TIME)]
    if isinstance(layer, nn.RNNBase):
        return [_sequence(layer.input_size, layer.batch_first)]
    if isinstance(layer, nn.RNNCellBase):
        return [floats(BATCH, layer.input_size)]
    if isinstance(layer, nn.MultiheadAttention):
        return [_sequence(layer.embed_dim, bool(layer.batch_first))]
    if isinstance(layer, (nn.TransformerEncoderLayer, nn.TransformerDecoderLayer)):
        attention = getattr(layer, "self_attn", None)  # a subclass may have done away with it
        return of_layer(attention) if isinstance(attention, nn.MultiheadAttention) else []
    return _of_normalisation(layer)


def _of_normalisation(layer: nn.Module) -> list[Spec]:
    if isinstance(layer, nn.LayerNorm):
        return [floats(BATCH, TIME, *layer.normalized_shape)]
    if isinstance(layer, nn.GroupNorm):
        return [_image(layer.num_channels, 2)]
    if isinstance(layer, nn.BatchNorm1d):
        return [floats(BATCH, layer.num_features), floats(BATCH, layer.num_features, TIME)]
    if isinstance(layer, _BatchNorm):
        return [_image(layer.num_features, 3 if isinstance(layer, nn.BatchNorm3d) else 2)]
    return []


def _image(channels: int, axes: int) -> Spec:
    sides = (8, 16, 16) if axes == 3 else (SIDE,) * axes
    return floats(BATCH, channels, *sides)


def _sequence(width: int, batch_first: bool) -> Spec:
    return floats(BATCH, TIME, width) if batch_first else floats(TIME, BATCH, width)
