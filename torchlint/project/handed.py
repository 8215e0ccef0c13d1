"""Pseudo-words of tensors that are handed to what takes others: indices, masks, data, arrays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.given import arguments

if TYPE_CHECKING:
    from collections.abc import Iterator

INDEXED = "x[float]"
"""The pseudo-word of a region that makes something of floats, and looks up or masks by tensors."""

OF_A_NAME = "tensor(x)"
"""The pseudo-word of a region that makes a tensor of what torch has given."""

NUMPY = "numpy()!"
"""The pseudo-word of a region that hands NumPy something, and nowhere leaves the graph."""

UNMAPPED = "load(!map_location)"
"""The pseudo-word of a region that loads a file, and does not say where to."""

_LOADED = re.compile(r"\b(?:torch|th)\.load\(")
DOUBLES = "from_numpy()!"
"""The pseudo-word of a region that makes an array of floats, and a tensor of one as it is."""

_ARRAYS = re.compile(
    r"\b(?:np|numpy|rng)\.(?:random\.)?(?:rand|randn|random|random_sample|normal|uniform"
    r"|standard_normal|zeros|ones|empty|full|linspace|arange|eye|array|loadtxt|genfromtxt|stack"
    r"|float64)\(|\bmake_\w+\(|\bload_\w+\(return_X_y|\b(?:fit_transform|train_test_split)\("
)
_TAKEN = re.compile(
    r"\b(?:torch|th)\.(from_numpy|as_tensor|tensor)\(\s*[\w.\[\]: ]*\)"
    r"(?!\.(?:float|long|int|half|bool|byte|to|type)\()"
)
_LOOKING_UP = frozenset(
    "gather() index_select() scatter() scatter_() scatter_add() scatter_add_() index_add() "
    "index_add_() take_along_dim() one_hot() embedding() masked_fill() masked_fill_() "
    "masked_select()".split()
)
_LOOKS_UP = re.compile(rf"\b(?:{'|'.join(name[:-2] for name in sorted(_LOOKING_UP))})\(")
_OF_FLOATS = re.compile(
    r"\b(\w+) *=(?![^\n]*(?:arg|topk))"
    r"[^\n]*\b(?:zeros|ones|rand|randn|linspace|FloatTensor|Tensor)\("
)
_OF_A_NAME = re.compile(r"\b(?:torch|th)\.tensor\(\s*([^\W\d]\w*)(?:\[[^]\n]*\])?\s*[,)]")
_NUMPY = re.compile(r"(?:\b(\w+)(?:\[[^]\n]*\])?|\))(?:\.cpu\(\))?\.numpy\(\)")
_LEFT = re.compile(r"(?:detach\(\)|\.data|\.to\([\"']cpu[\"']\))(?:\.cpu\(\))?\.numpy\(\)")


def handed(text: str, names: set[str]) -> Iterator[str]:
    """The pseudo-words of a region in which these identifiers stand."""
    if ".tensor(" in text and any(
        re.search(rf"\b{found[1]} *= *(?:torch|th|F|nn)\.(?![^\n]*tensor\(\s*{found[1]}\b)", text)
        for found in _OF_A_NAME.finditer(text)
    ):
        yield OF_A_NAME
    if ".load(" in text and any(
        "map_location" not in arguments(text, found.end()) for found in _LOADED.finditer(text)
    ):
        yield UNMAPPED
    if "numpy(" in text or "tensor(" in text:
        # At the top level the array is another statement, and another region.
        within = text.lstrip().startswith(("def ", "async ", "@"))
        found = _TAKEN.search(text)
        if found and (found[1] != "tensor" or not within or _ARRAYS.search(text)):
            yield DOUBLES
    if ".numpy()" in text and "no_grad" not in text and _hands_over(text):
        yield NUMPY
    if not names.isdisjoint(_LOOKING_UP) and any(
        re.search(
            rf"(?:(?<!torch\.){_LOOKS_UP.pattern}|{_LOOKS_UP.pattern}[^\n]*[,=] ?)"
            rf"{found[1]}\b(?! *[=!<>])",
            text,
        )
        for found in _OF_FLOATS.finditer(text)
    ):
        yield INDEXED


def _hands_over(text: str) -> bool:
    """Whether a weight, or what a call that is not torch's gives, is handed over as it is."""
    plain = _LEFT.sub("", text)
    for found in _NUMPY.finditer(plain):
        name = found[1]
        if name is None or name in {"weight", "bias"}:
            return True
        if re.search(rf"\b{name} *= *(?:self\.)?(?!np\b)\w+(?:\(|\.cuda\()", plain):
            return True
        if re.search(rf"\b{name} *=[^\n]*requires_grad=True", plain):
            return True
    return False
