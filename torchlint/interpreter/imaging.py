"""Imaging: the sizes of the images of torchvision's datasets, after what transforms do to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, repeats, sizing, tensors
from torchlint.interpreter.events.transforms import Composed, Made, Step
from torchlint.interpreter.spans import Span
from torchlint.interpreter.values import NONE, Const, Ref, Tuple

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Instance, Value

_SIZES: dict[str, tuple[Dim, Dim, Dim]] = {
    **dict.fromkeys("MNIST FashionMNIST KMNIST EMNIST QMNIST".split(), (1, 28, 28)),
    **dict.fromkeys("CIFAR10 CIFAR100 SVHN".split(), (3, 32, 32)),
    "STL10": (3, 96, 96),
    **dict.fromkeys("ImageFolder ImageNet Food101 Flowers102".split(), (3, None, None)),
}
CLASSES: dict[str, int | None] = {
    **dict.fromkeys("MNIST FashionMNIST KMNIST QMNIST CIFAR10".split(), 10),
    "CIFAR100": 100,
    **dict.fromkeys("ImageFolder FakeData".split()),
}
"""Datasets with a whole number as the label: of how many, each about as often as another."""

LABELS = frozenset({"targets", "train_labels", "test_labels"})
"""What a program sets, or gets hold of, to give the images other labels or choose by them."""

_MADE = frozenset({"ToTensor", "PILToTensor"})
_CUT = frozenset({"CenterCrop", "RandomCrop", "RandomResizedCrop"})
_KEEPING = frozenset(
    "Normalize ConvertImageDtype ToDtype RandomErasing AutoAugment RandAugment TrivialAugmentWide "
    "AugMix RandomHorizontalFlip RandomVerticalFlip ColorJitter RandomPerspective RandomGrayscale "
    "GaussianBlur RandomInvert RandomSolarize RandomAdjustSharpness RandomAutocontrast "
    "RandomPosterize RandomEqualize ToImage".split()
)


def item(machine: Machine, dataset: Instance, *, chosen: bool = False) -> Value | None:
    """An image and its label; None where nothing is known of the image.

    Where some are ``chosen``, it may be for their labels.
    """
    inner = dataset.attributes.get("dataset")
    record = machine.get(inner) if inner is not None else None
    name = dataset.cls.rpartition(".")[2] if isinstance(dataset.cls, str) else ""
    if record is not None and hasattr(record, "cls") and name in {"Subset", "ConcatDataset"}:
        return item(machine, record, chosen=chosen or name == "Subset")  # type: ignore[arg-type]
    shape = _shape(machine, name, dataset)
    if shape is None:
        return None
    image = tensors.new_tensor(machine, None, shape=shape)
    told = dataset.attributes.get("target_transform", NONE) != NONE or name not in CLASSES
    facts: dict[str, object] = {} if told else {"dtype": "int64", "shape": ()}
    if not told and not chosen:
        facts["span"] = _span(name, dataset)
    if not told and dataset.spot is not None:
        facts["repeats"] = repeats.of_labels(dataset.spot)
    return Tuple((image, tensors.new_tensor(machine, None, **facts)))


def _span(name: str, dataset: Instance) -> Span | None:
    """Between which numbers labels lie that the program has not changed."""
    classes = CLASSES[name]
    changed = dataset.escaped or not LABELS.isdisjoint(dataset.attributes)
    if classes is None or dataset.spot is None or changed:
        return None
    return Span(0, classes - 1, dataset.spot, drawn=True)


def _shape(machine: Machine, name: str, dataset: Instance) -> Shape | None:
    """The shape of an image once it is a tensor."""
    size = _size(machine, name, dataset)
    found = steps(machine, dataset.attributes.get("transform"))
    if size is None or found is None or "loader" in dataset.attributes:
        return None
    made = False
    for step in found:
        size = _after(machine, step, size) if step is not None else None
        if size is None:
            return None
        made = made or (step is not None and step.name in _MADE)
    return size if made else None


def _size(machine: Machine, name: str, dataset: Instance) -> tuple[Dim, Dim, Dim] | None:
    """Channels and sides of the images as they come."""
    told = dataset.attributes.get("image_size")
    if name == "FakeData" and told is not None:
        sizes = sizing.sizes(machine, [told], counts=False)
        return (sizes[0], sizes[1], sizes[2]) if sizes is not None and len(sizes) == 3 else None
    return _SIZES.get(name)


def steps(machine: Machine, transform: Value | None) -> tuple[Step | None, ...] | None:
    """The transforms one after the other; None where they are not known."""
    if not isinstance(transform, Ref):
        return None
    for event in machine.trace.of(Composed):
        if event.transforms == transform.address:
            return event.steps
    for made in machine.trace.of(Made):
        if made.transform == transform.address:
            return (Step(made.name, made.spot, made.settings),)
    return None


def _after(machine: Machine, step: Step, size: tuple[Dim, Dim, Dim]) -> tuple[Dim, Dim, Dim] | None:
    """Channels and sides after a transform; None where nothing is known of them."""
    settings = dict(step.settings)
    channels, height, width = size
    given = settings.get("0", settings.get("size"))
    if step.name in _MADE | _KEEPING:
        return size
    if step.name == "Grayscale":
        count = settings.get("0", settings.get("num_output_channels", Const(1)))
        return (sizing.dimension(machine, count, counts=False), height, width)
    if given is None or "max_size" in settings:
        return None
    sides = sizing.sizes(machine, [given], counts=False)
    if step.name == "Pad" and isinstance(given, Const) and isinstance(given.value, int):
        both = 2 * given.value
        return (channels, dimensions.add(height, both), dimensions.add(width, both))
    if sides is None or step.name not in {"Resize", *_CUT}:
        return None
    if len(sides) == 1:
        if step.name == "Resize" and (height is None or height != width):
            # The shorter side gets that size.
            return (channels, None, None)
        sides = sides * 2
    return (channels, *sides) if len(sides) == 2 else None
