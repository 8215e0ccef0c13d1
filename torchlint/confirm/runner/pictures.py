"""Stands in for torchvision where it is not installed: made-up pictures, and what resizes them.

What a picture shows is not what a training loop or a loss is asked about; its shape, its range and
the number of classes are the real data set's.
"""

from __future__ import annotations

import types
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from . import taint

if TYPE_CHECKING:
    from collections.abc import Callable

_COUNT = 1024
# Channels, side and classes.
_SHAPES = {
    "MNIST": (1, 28, 10),
    "FashionMNIST": (1, 28, 10),
    "KMNIST": (1, 28, 10),
    "QMNIST": (1, 28, 10),
    "EMNIST": (1, 28, 47),
    "USPS": (1, 16, 10),
    "Omniglot": (1, 105, 50),
    "CIFAR10": (3, 32, 10),
    "CIFAR100": (3, 32, 100),
    "SVHN": (3, 32, 10),
    "STL10": (3, 96, 10),
    "ImageFolder": (3, 64, 2),
    "FakeData": (3, 64, 10),
}


class Pictures(torch.utils.data.Dataset[Any]):
    """A small data set of noise, of the shape and the classes of a known one."""

    shape = (3, 32, 10)

    def __init__(self, *_: Any, **options: Any) -> None:
        channels, side, classes = self.shape
        generator = torch.Generator().manual_seed(0)
        shape = (_COUNT, channels, side, side)
        self.data = torch.randint(0, 256, shape, generator=generator, dtype=torch.uint8)
        self.targets = torch.randint(0, classes, (_COUNT,), generator=generator)
        self.classes = [str(number) for number in range(classes)]
        self.class_to_idx = {name: number for number, name in enumerate(self.classes)}
        self.transform = options.get("transform")
        self.target_transform = options.get("target_transform")

    def __len__(self) -> int:
        return _COUNT

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        """A picture as numbers from 0 to 1, whatever the transform makes of it, and its class."""
        picture: Any = self.data[index].float() / 255
        target: Any = int(self.targets[index])
        if self.transform is not None:
            picture = self.transform(picture)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return picture, target


class Compose:
    """One transform after the other."""

    def __init__(self, transforms: list[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, picture: Any) -> Any:
        """The picture after all of them."""
        for transform in self.transforms:
            picture = transform(picture)
        return picture


class Sized:
    """Gives pictures another size, by whatever means."""

    def __init__(self, size: Any, *_: Any, **__: Any) -> None:
        self.size = (size, size) if isinstance(size, int) else tuple(size)

    def __call__(self, picture: Tensor) -> Tensor:
        """The picture in the new size."""
        return nn.functional.interpolate(picture[None], self.size)[0]


class Gray:
    """Takes the colours away."""

    def __init__(self, num_output_channels: int = 1) -> None:
        self.channels = num_output_channels

    def __call__(self, picture: Tensor) -> Tensor:
        """The mean of the channels, in each of those that are wanted."""
        return picture.mean(0, keepdim=True).expand(self.channels, -1, -1)


class Normalised:
    """Subtracts means and divides by deviations."""

    def __init__(self, mean: Any, std: Any, inplace: bool = False) -> None:
        self.mean, self.std = mean, std

    def __call__(self, picture: Tensor) -> Tensor:
        """The picture, each channel by its own numbers."""
        mean, std = (torch.as_tensor(numbers).view(-1, 1, 1) for numbers in (self.mean, self.std))
        return (picture - mean) / std


class Applied:
    """The user's own function."""

    def __init__(self, lambd: Callable[[Any], Any]) -> None:
        self.lambd = lambd

    def __call__(self, picture: Any) -> Any:
        """What the function makes of the picture."""
        return self.lambd(picture)


class Unchanged:
    """Any transform that keeps a picture's shape."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Whatever it is told."""

    def __call__(self, picture: Any) -> Any:
        """The picture as it is."""
        return picture


_TRANSFORMS: dict[str, type] = {
    "Compose": Compose,
    "Lambda": Applied,
    "Normalize": Normalised,
    "Grayscale": Gray,
    **dict.fromkeys(["Resize", "CenterCrop", "RandomCrop", "RandomResizedCrop"], Sized),
    **dict.fromkeys(
        [
            "ToTensor",
            "ToPILImage",
            "RandomHorizontalFlip",
            "RandomVerticalFlip",
            "RandomRotation",
            "RandomAffine",
            "ColorJitter",
            "RandomErasing",
            "RandomApply",
            "RandAugment",
            "AutoAugment",
        ],
        Unchanged,
    ),
}


class _Package(types.ModuleType):
    """Knows some names; any other is a stand-in whose use taints the run."""

    def __init__(self, name: str, known: dict[str, Any]) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None, is_package=True)
        self.__path__ = []
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> taint.StandIn:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return taint.StandIn(f"{self.__name__}.{name}")


def torchvision() -> dict[str, types.ModuleType]:
    """The package and its modules, by name."""
    sets = {name: type(name, (Pictures,), {"shape": shape}) for name, shape in _SHAPES.items()}
    datasets = _Package("torchvision.datasets", dict(sets))
    transforms = _Package("torchvision.transforms", dict(_TRANSFORMS))
    package = _Package("torchvision", {"datasets": datasets, "transforms": transforms})
    return {"torchvision": package, datasets.__name__: datasets, transforms.__name__: transforms}
