"""torchvision's models and what their legacy arguments stand for."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

from torchlint.torch_api import removed
from torchlint.torch_api.generated import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

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


DEPRECATED = {
    "torchvision.transforms.v2.ToTensor": (
        "0.15",
        "`v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])`",
    ),
    "torchvision.transforms.v2.functional.to_tensor": (
        "0.15",
        "`to_dtype(to_image(x), torch.float32, scale=True)`",
    ),
    "torchvision.transforms.v2.functional.get_image_size": ("0.16", "`get_size`"),
}
"""Names whose use warns, since which release, and what to use."""

INSTEAD = {
    "torchvision.transforms.functional_tensor": "torchvision.transforms.functional",
    "torchvision.transforms.functional_pil": "torchvision.transforms.functional",
    "torchvision.models.utils.load_state_dict_from_url": "torch.hub.load_state_dict_from_url",
    "torchvision.models.utils": "torch.hub",
}
"""What to use for other names that are gone."""


RENAMED = {"fillcolor": "fill", "range": "value_range", "resample": "interpolation"}
"""What arguments are called that are no longer taken under an old name."""

_LOOKED_UP = frozenset({"torchvision.models.__dict__", "torchvision.models.getattr"})
"""Where models are looked up by names that a program is given: the latter is `getattr` of them."""

_ABOUT_WEIGHTS = frozenset(
    f"torchvision.models.{name}"
    for name in (
        *("get_weight", "get_model_weights", "list_models"),
        "feature_extraction.get_graph_node_names",
    )
)
"""Functions that tell which models and weights there are, and what is in them."""

_HANDED_ON = {"torchvision.utils.save_image": "torchvision.utils.make_grid"}
"""What hands all arguments by keyword that are not its own on to something else."""


def names() -> frozenset[str]:
    """All names that can be used in a legacy way."""
    legacy = frozenset(_builders()) | URLS | TRANSFORMS.keys() | DEPRECATED.keys()
    return legacy | _LOOKED_UP | removed.names("torchvision").keys() | arguments().keys()


@functools.cache
def arguments() -> Mapping[str, Mapping[str, str]]:
    """The arguments that are no longer taken, by what would be given them, and since when."""
    taken = removed.arguments("torchvision")
    return {**taken, **{name: taken[taker] for name, taker in _HANDED_ON.items()}}


def gone(name: str) -> str:
    """The release of torchvision that no longer has a name; empty where all have it."""
    return removed.names("torchvision").get(name, "")


def is_of_weights(name: str) -> bool:
    """Whether a name below torchvision's models is about weights, and gives no model.

    `ResNet50_Weights.DEFAULT.transforms` makes the transforms that these weights come with.
    """
    return name in _ABOUT_WEIGHTS or any(part.endswith("_Weights") for part in name.split("."))


def builder(name: str) -> dict[str, str] | None:
    """For each legacy argument of a model, the weights that True stands for; None for others."""
    return dict.fromkeys(LEGACY, "") if name in _LOOKED_UP else _builders().get(name)


@functools.cache
def _builders() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((TABLES / "torchvision.json").read_text("utf-8"))
    return found
