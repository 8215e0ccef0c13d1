"""Pseudo-words of sizes that are written as numbers, which is what shapes come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.project.skimming import has_any
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZED_LAYER = "Linear(8)"
"""The pseudo-word of a region that builds a layer for a size that is a number, or a part of a
module from two."""

SIZED_TENSOR = "randn(8)"
"""The pseudo-word of a region that makes a tensor of several sizes, the first two numbers, as it is
done to try a model; of ones and nothing before the last there is no more to tell. A region that
says of which numbers the sizes of its arguments are has it as well."""

_LAYER = Pattern(
    r"\b(?:Linear|Conv[123]d|ConvTranspose[123]d|RNN|LSTM|GRU|Embedding)\(\s*"
    r"(?:in_\w+\s*=\s*)?\d[\d *+/()]*,"
)
_BLOCK = Pattern(r"(?:[=,(\[]|return)\s*(?!nn\.)[A-Z]\w*\(\s*\d+\s*,\s*\d+\s*[,)]")
"""What is built of a class of the project, as it may be, with two numbers."""

_NUMBER = r"\s*+(?:[^\W\d]\w*+\s*+=\s*+)?\d++\s*+"
_NUMBERS = Pattern(rf"\({_NUMBER},{_NUMBER}[,)]")
_BUILT = Pattern(rf"([A-Z](?<![\w.][A-Z])\w*){_NUMBERS.pattern}")

_TENSOR = Pattern(
    r"\b(?:randn|rand|ones|zeros|randint|(?:Float)?Tensor)\([^()\n]*?[(]?\b(?!1,\s*1,)\d+,\s*\d+\s*[,)]"
    r"|\bsummary\([^\n]*?\(\s*\d+,\s*\d+"
    r"|\brandom\.(?:normal|uniform|random|random_sample|standard_normal)"
    r"\((?:[^()\n]*,)?\s*(?:size\s*=\s*)?\(\d+,\s*\d+\s*[,)]"
)
_TYPED = Pattern(r"\[\s*(?:\w+\.)?Tensor\s*,\s*\"[^\"\n]*\b\d|\bTensorType\[[^\]\n]*\b\d")


def built_with(name: str) -> str:
    """The pseudo-word of a region outside of modules that builds an object with two numbers."""
    return f"{name}(8)"


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    layers = "Linear(" in text or "Conv" in text or "U(" in text or "M(" in text
    builds, numbers = "super()" in text, _NUMBERS.search(text) is not None
    if (layers and _LAYER.search(text)) or (numbers and builds and _BLOCK.search(text)):
        yield SIZED_LAYER
    if numbers and not builds:
        yield from map(built_with, _BUILT.findall(text))
    makes = has_any(text, ("rand", "ones(", "zeros(", "Tensor(", "summary("))
    typed = "Tensor," in text or "TensorType[" in text
    if (makes and _TENSOR.search(text)) or (typed and _TYPED.search(text)):
        yield SIZED_TENSOR
