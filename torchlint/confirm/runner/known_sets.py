"""Fills data sets of torchvision whose files are not there with noise in their own form."""

from __future__ import annotations

import importlib
import zlib
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

_COUNT = 1024
_SIDE = 64
_CLASSES = ("ant", "bee")


def _began(made: Any, given: dict[str, Any]) -> None:
    """What all of them have: where the files would be, and what becomes of a picture."""
    base = importlib.import_module("torchvision.datasets.vision").VisionDataset
    transforms = {name: given.get(name) for name in ("transform", "target_transform")}
    base.__init__(made, str(given.get("root") or ""), **transforms)
    made.train = given.get("train", True)
    made.split = given.get("split", "train")


def _noise(made: Any, *shape: int) -> Any:
    size = (_COUNT, *shape)
    return torch.randint(0, 256, size, generator=_drawing(made), dtype=torch.uint8)


def _labels(made: Any, classes: int) -> Any:
    return torch.randint(0, classes, (_COUNT,), generator=_drawing(made))


def _drawing(made: Any) -> torch.Generator:
    """What is for training is not what is for evaluation."""
    return torch.Generator().manual_seed(zlib.crc32(f"{made.train} {made.split}".encode()))


def _digits(made: Any, given: dict[str, Any]) -> None:
    """MNIST and its like: tensors."""
    _began(made, given)
    by_split = getattr(type(made), "classes_split_dict", {})
    if made.split in by_split:
        made.classes = by_split[made.split]
    made.data, made.targets = _noise(made, 28, 28), _labels(made, 10)


def _small(made: Any, given: dict[str, Any]) -> None:
    """CIFAR: an array with the colours last, and a list."""
    _began(made, given)
    classes = 100 if "100" in getattr(made, "base_folder", "") else 10
    made.data, made.targets = _noise(made, 32, 32, 3).numpy(), _labels(made, classes).tolist()
    made.classes = [f"class {number}" for number in range(classes)]
    made.class_to_idx = {name: number for number, name in enumerate(made.classes)}


def _labelled(side: int) -> Callable[[Any, dict[str, Any]], None]:
    """SVHN and STL10: arrays with the colours first."""

    def fill(made: Any, given: dict[str, Any]) -> None:
        _began(made, given)
        made.data, made.labels = _noise(made, 3, side, side).numpy(), _labels(made, 10).numpy()

    return fill


def _postal(made: Any, given: dict[str, Any]) -> None:
    """USPS: an array without colours, and a list."""
    _began(made, given)
    made.data, made.targets = _noise(made, 16, 16).numpy(), _labels(made, 10).tolist()


def _folder(made: Any, given: dict[str, Any]) -> None:
    """Pictures in the folders of two classes."""
    _began(made, given)
    made.loader, made.extensions = _read, given.get("extensions")
    made.classes = list(_CLASSES)
    made.class_to_idx = {name: number for number, name in enumerate(_CLASSES)}
    made.samples = [
        (f"{made.root}/{name}/{number}.png", label)
        for number in range(_COUNT // 8)
        for label, name in enumerate(_CLASSES)
    ]
    made.targets = [label for _, label in made.samples]


def _read(path: str) -> Any:
    images = importlib.import_module("PIL.Image")
    generator = torch.Generator().manual_seed(zlib.crc32(path.encode()))
    size = (_SIDE * _SIDE * 3,)
    noise = torch.randint(0, 256, size, generator=generator, dtype=torch.uint8)
    return images.frombytes("RGB", (_SIDE, _SIDE), bytes(noise.tolist()))


FILLS: dict[str, Callable[[Any, dict[str, Any]], None]] = {
    "MNIST": _digits,
    "EMNIST": _digits,
    "CIFAR10": _small,
    "SVHN": _labelled(32),
    "STL10": _labelled(96),
    "USPS": _postal,
    "DatasetFolder": _folder,
}
