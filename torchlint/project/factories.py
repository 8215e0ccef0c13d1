"""Pseudo-words of calls that make tensors, by what they do not say of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.given import arguments

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACELESS = "zeros(!device)"
"""A tensor is made, and nothing says where."""

TYPELESS = "zeros(!dtype)"
"""A tensor of floats is made where something says, and nothing says of what type."""

FLOATS = frozenset("zeros ones rand randn linspace logspace eye full".split())
FACTORIES = frozenset(
    "arange as_tensor asarray bartlett_window blackman_window empty empty_permuted empty_strided "
    "from_file hamming_window hann_window kaiser_window normal randint randperm scalar_tensor "
    "tensor tril_indices triu_indices from_numpy frombuffer".split()
)
_MADE = re.compile(
    rf"\b(?<![\w)\]]\.)(?:(?:torch|th|pt|t)\.)?({'|'.join(sorted(FLOATS | FACTORIES))})\("
)


def factories(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    missing = {PLACELESS, TYPELESS}
    for found in _MADE.finditer(text):
        if not missing:
            return
        given = arguments(text, found.end())
        if "device" not in given and "**" not in given:
            missing.discard(PLACELESS)
            yield PLACELESS
        elif found[1] in FLOATS and "dtype" not in given:
            missing.discard(TYPELESS)
            yield TYPELESS
