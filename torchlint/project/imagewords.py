"""Pseudo-words of images: of bytes, and of transforms that may be in the wrong order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.project.skimming import has_any
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

MISORDERED = "ToTensor()…"
"""The pseudo-word of a region where a transform that makes tensors comes after one that takes them,
or one that takes images after it, and no other ``Compose`` between the two; or where images of one
channel are normalised."""

BYTES = "uint8!"
"""The pseudo-word of a region that reads a picture, or makes bytes of what is drawn or scaled."""

_READING = "read_image imread imdecode decode_ pil_to_tensor MNIST CIFAR SVHN STL10".split()
"""One of these stands in what ``_READ`` finds."""

_READ = Pattern(
    r"\b(?:read_image|decode_image|(?<!\bimage\.)decode_(?:jpeg|png)|imread|imdecode)\("
    r"|=[ \t]*[\w.]*\bpil_to_tensor\("
    r"|\b(?:MNIST|CIFAR100?|SVHN|STL10)\([\s\S]*\.(?:train_)?data\b"
)
_FULL = Pattern(r"\brandint\(|\b255\b")

_GAP = r"\((?:(?!Compose\()[\s\S])*?"
_PAIRS = Pattern(
    rf"\b(?:Normalize|RandomErasing|ConvertImageDtype|LinearTransformation|ToTensor|PILToTensor){_GAP}"
    r"\b(?:PILToTensor|ToTensor)\("
    rf"|\bToPILImage{_GAP}\b(?:Normalize|RandomErasing|ToPILImage)\("
    rf"|\bPILToTensor{_GAP}\bNormalize\("
    rf"|\bToTensor{_GAP}\b(?:TrivialAugmentWide|AugMix|RandomPosterize|RandomEqualize)\("
)


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    reads = has_any(text, _READING) and _READ.search(text)
    if reads or (("byte()" in text or "uint8" in text) and _FULL.search(text)):
        yield BYTES
    if "Compose(" in text and (_PAIRS.search(text) or _is_of_grey_images(text)):
        yield MISORDERED


def _is_of_grey_images(text: str) -> bool:
    return "Normalize(" in text and ("MNIST(" in text or "USPS(" in text)
