"""Transforms of torchvision: what is put together in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import containers
from torchlint.interpreter.events.transforms import Composed, Made, Step
from torchlint.interpreter.values import Ref
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


@given(*(f"{home}.{name}" for home in _HOMES for name in _NAMES))
def _made(call: Call, value: Value) -> None:
    """Remember which transform it is."""
    if isinstance(value, Ref):
        name = call.name.rpartition(".")[2]
        positions = map(str, range(len(call.arguments.positional)))
        given_ = dict(zip(positions, call.arguments.positional, strict=True))
        settings = tuple({**given_, **call.arguments.keywords}.items())
        call.machine.emit(Made, call.spot, transform=value.address, name=name, settings=settings)


@given(*(f"{home}.Compose" for home in _HOMES))
def _composed(call: Call, value: Value) -> None:
    """Note the steps, as far as they are known."""
    machine = call.machine
    given_ = call.get("transforms", 0)
    items = containers.known_items(machine, given_) if given_ is not None else None
    if items is not None and isinstance(value, Ref):
        made = {event.transform: event for event in machine.trace.of(Made)}
        found = [made.get(item.address) if isinstance(item, Ref) else None for item in items]
        steps = tuple(Step(each.name, each.spot, each.settings) if each else None for each in found)
        second = ".v2." in call.name
        machine.emit(Composed, call.spot, transforms=value.address, steps=steps, second=second)
