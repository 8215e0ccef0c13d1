"""Pseudo-words for calls that are told by what they are given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ALWAYS_ON = "dropout()!"
"""The pseudo-word of a region that drops or normalises by a function, and does not say when."""

_DROPPING = re.compile(
    r"(?:\b(?:F|functional|torch)\.|(?<![\w.]))(dropout[123]?d?|scaled_dot_product_attention|batch_norm)\("
)


_MODE = "train"


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    if "dropout" in text or "batch_norm(" in text:
        for found in _DROPPING.finditer(text):
            if not _tells_mode(found[1], arguments(text, found.end())):
                yield ALWAYS_ON
                break
    if ")(" in text and any(_is_applied(text, found.end()) for found in _BUILT.finditer(text)):
        yield BUILT_AND_APPLIED


def _tells_mode(name: str, given: str) -> bool:
    """Whether a call is told the mode, or needs none."""
    if name == "batch_norm":
        asked = "training=True" in given or ", True" in given
        return not asked or "None, None" in given
    if name == "scaled_dot_product_attention":
        return _MODE in given or ("dropout_p" not in given and given.count(",") < 4)
    return _MODE in given or given.count(",") > 3


def _is_applied(text: str, start: int) -> bool:
    """Whether what a call builds is called at once."""
    after = start + len(arguments(text, start)) + 1
    return text[after : after + 1] == "("


def arguments(text: str, start: int) -> str:
    """What a call is given, from ``start`` up to the parenthesis that closes it."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[at], 0)
        if not depth:
            return text[start:at]
    return text[start:]


BUILT_AND_APPLIED = "X()()"
"""The pseudo-word of a region that calls an object of a class where it builds it."""

_BUILT = re.compile(r"\b[A-Z]\w*\(")
_WITH_WEIGHTS = (
    "Linear Bilinear Embedding Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d BatchNorm1d "
    "BatchNorm2d BatchNorm3d LayerNorm GroupNorm RMSNorm PReLU LSTM GRU RNN LSTMCell GRUCell "
    "MultiheadAttention TransformerEncoderLayer Dropout Dropout1d Dropout2d Dropout3d"
).split()


def layers() -> frozenset[str]:
    """The pseudo-words of methods that build a layer which has something to lose."""
    return frozenset(f"{name}()" for name in _WITH_WEIGHTS)
