"""Transforms of torchvision and albumentations: what is put together in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import containers
from torchlint.interpreter.events.transforms import Composed, Made, OneChannel, Step
from torchlint.interpreter.values import Const, Ref
from torchlint.torch_api.chances import is_by_chance
from torchlint.torch_api.registry import given

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

_HOMES = tuple(
    f"torchvision.{name}" for name in ("transforms", "transforms.transforms", "transforms.v2")
)
_NAMES = (
    "Normalize ConvertImageDtype ToDtype LinearTransformation RandomErasing ToTensor PILToTensor "
    "ToImage ToPILImage AutoAugment RandAugment TrivialAugmentWide AugMix RandomPosterize "
    "RandomEqualize Resize CenterCrop RandomCrop RandomResizedCrop RandomHorizontalFlip "
    "RandomVerticalFlip Pad ColorJitter RandomRotation RandomAffine RandomPerspective Grayscale "
    "RandomGrayscale GaussianBlur RandomInvert RandomSolarize RandomAdjustSharpness "
    "RandomAutocontrast ElasticTransform"
).split()

_ALBUMENTATIONS = (
    "HorizontalFlip VerticalFlip Flip Transpose D4 RandomRotate90 Rotate SafeRotate Affine "
    "ShiftScaleRotate Perspective ElasticTransform GridDistortion OpticalDistortion RandomCrop "
    "RandomResizedCrop RandomSizedCrop RandomSizedBBoxSafeCrop CropNonEmptyMaskIfExists "
    "RandomBrightnessContrast RandomBrightness RandomContrast RandomGamma HueSaturationValue "
    "RGBShift ColorJitter ChannelShuffle ChannelDropout CoarseDropout Cutout GridDropout "
    "GaussNoise ISONoise MultiplicativeNoise Blur GaussianBlur MotionBlur MedianBlur RandomFog "
    "RandomRain RandomShadow RandomSunFlare ImageCompression Downscale OneOf SomeOf"
).split()
"""What changes pictures by chance; what is not named here does the same each time."""

_FLIPS = frozenset("HorizontalFlip VerticalFlip Transpose RandomGrayscale RandomInvert".split()) | {
    "RandomHorizontalFlip",
    "RandomVerticalFlip",
}
"""Transforms in which only whether they do anything is left to chance."""


@given(*(f"{home}.{name}" for home in _HOMES for name in _NAMES))
@given(*(f"albumentations.{name}" for name in _ALBUMENTATIONS))
def _made(call: Call, value: Value) -> None:
    """Remember which transform it is."""
    if isinstance(value, Ref):
        name = call.name.rpartition(".")[2]
        positions = map(str, range(len(call.arguments.positional)))
        given_ = dict(zip(positions, call.arguments.positional, strict=True))
        settings = {**given_, **call.arguments.keywords}
        by_chance = call.name.startswith("albumentations.") or is_by_chance(name)
        probability = call.get("p", 0 if name in _FLIPS else None)
        call.machine.emit(
            Made,
            call.spot,
            transform=value.address,
            name=name,
            settings=tuple(settings.items()),
            draws=by_chance and not _is_settled(name, probability),
            channels=_channels(call, name),
        )


def _channels(call: Call, name: str) -> int | None:
    """For how many channels a transform has a mean each, or how many it gives."""
    match name:
        case "Normalize":
            means = call.get("mean", 0)
            each = containers.known_items(call.machine, means) if means is not None else None
            return len(each) if each else None
        case "Grayscale":
            given_ = call.get("num_output_channels", 0)
            wanted = given_.value if isinstance(given_, Const) else None
            return wanted if type(wanted) is int else 1 if given_ is None else None
    return None


@given(*(f"torchvision.datasets.{name}" for name in "MNIST FashionMNIST KMNIST USPS".split()))
def _of_one_channel(call: Call, value: Value) -> None:
    """Note what becomes of images that have one channel."""
    transforms = call.get("transform", 2)
    if isinstance(transforms, Ref):
        name = call.name.rpartition(".")[2]
        call.machine.emit(OneChannel, call.spot, dataset=name, transforms=transforms.address)


def _is_settled(name: str, probability: Value | None) -> bool:
    """Whether a transform of a known probability does the same to every picture."""
    always = isinstance(probability, Const) and probability.value == 1
    never = isinstance(probability, Const) and probability.value == 0
    return never or (always and name in _FLIPS)


@given(*(f"{home}.Compose" for home in _HOMES), "albumentations.Compose")
def _composed(call: Call, value: Value) -> None:
    """Note the steps, as far as they are known."""
    machine = call.machine
    given_ = call.get("transforms", 0)
    items = containers.known_items(machine, given_) if given_ is not None else None
    if items is not None and isinstance(value, Ref):
        made = {event.transform: event for event in machine.trace.of(Made)}
        found = [made.get(item.address) if isinstance(item, Ref) else None for item in items]
        steps = tuple(
            Step(each.name, each.spot, each.settings, each.draws, each.channels) if each else None
            for each in found
        )
        lenient = ".v2." in call.name or call.name.startswith("albumentations.")
        machine.emit(Composed, call.spot, transforms=value.address, steps=steps, lenient=lenient)
