"""torchvision's models and what their legacy arguments stand for."""

from __future__ import annotations

import functools
import json

from torchlint.torch_api.generated import TABLES

_FILES = (
    "alexnet densenet googlenet inception mnasnet mobilenet mobilenetv2 resnet shufflenetv2 "
    "squeezenet vgg"
).split()

URLS = frozenset(f"torchvision.models.{file}.model_urls" for file in _FILES)
"""Tables of addresses that the models had before torchvision 0.13."""

TRANSFORMS = {
    "torchvision.transforms.Scale": "torchvision.transforms.Resize",
    "torchvision.transforms.RandomSizedCrop": "torchvision.transforms.RandomResizedCrop",
    "torchvision.transforms.toTensor": "torchvision.transforms.ToTensor",
}
"""Transforms that have been renamed and are gone, or never were, and what they are called."""

LEGACY = {"pretrained": "weights", "pretrained_backbone": "weights_backbone"}


def names() -> frozenset[str]:
    """All names that can be used in a legacy way."""
    return frozenset(_builders()) | URLS | TRANSFORMS.keys()


def builder(name: str) -> dict[str, str] | None:
    """For each legacy argument of a model, the weights that True stands for; None for others."""
    return _builders().get(name)


@functools.cache
def _builders() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((TABLES / "torchvision.json").read_text("utf-8"))
    return found
