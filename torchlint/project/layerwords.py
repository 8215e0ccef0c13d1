"""Pseudo-words of layers that are built with settings which may not go together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.given import arguments

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = "Conv2d(10,20,groups=3)"
"""A region that builds a layer with numbers of which one has to divide the other, a number that may
be out of bounds, or a quotient for a size."""

NUMBERED = "tensor([1])"
"""A region that makes a tensor of whole numbers which are written out: labels, tokens, indices."""

_NUMBERED = re.compile(r"\b(?:tensor|LongTensor)\(\s*\[[\[\s]*\d+\s*[,\]]")
_CALL = re.compile(
    r"\b(Conv(?:Transpose)?[123]d|GroupNorm|MultiheadAttention|Transformer(?:\w+Layer)?|LSTM|GRU"
    r"|RNN|\w*Dropout[123]?d?|Embedding(?:Bag)?|Linear|BatchNorm[123]d|LayerNorm"
    r"|super\(\w*(?:, \w+)?\)\.__init__)\("
)
_TRIGGERS = (
    *("groups", "GroupNorm(", "MultiheadAttention(", "Transformer", "LSTM(", "GRU(", "RNN("),
    *("Dropout", "padding_idx", "same", "padding_mode", " / "),
)
_TWO = re.compile(r"\s*(?:\w+\s*=\s*)?\d+\s*,\s*(?:\w+\s*=\s*)?\d+\s*(?:,|$)")
_GROUPED = re.compile(r"\d.*\bgroups\s*=\s*(?!1\b)\d", re.DOTALL)
_QUOTIENT = re.compile(r"(?:^|[,=])[^(),/]*[\w\])]\s*/\s*(?!/)[\w(]")
_BELOW_ZERO = re.compile(r"(?:^|,|=)\s*-\s*\d")
_RATE = re.compile(r"\s*(?:p\s*=\s*)?(?:-|[1-9]\d|[2-9]|1\.0*[1-9])")
_RECURRENT = re.compile(
    r"num_layers\s*=\s*0\b|^[^,]+,[^,=]+,\s*0\s*(?:,|$)|proj_size|dropout\s*=\s*(?:[1-9]|-)"
    r"|nonlinearity"
)
_PADDED = re.compile(r"padding\s*=\s*['\"]same.*stride|stride.*padding\s*=\s*['\"]same", re.DOTALL)
_TRANSFORMER = re.compile(r"dropout\s*=\s*(?:[1-9]|-)|activation\s*=\s*['\"](?!relu|gelu)")


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    if any(trigger in text for trigger in _TRIGGERS) and any(
        _may_clash(found[1], arguments(text, found.end())) for found in _CALL.finditer(text)
    ):
        yield SETTINGS
    if "ensor([" in text and _NUMBERED.search(text):
        yield NUMBERED


def _may_clash(kind: str, given: str) -> bool:
    """Whether what a layer is built with is worth a look."""
    if "/" in given and kind[0].isupper() and _QUOTIENT.search(given):
        return True
    if "Dropout" in kind:
        return bool(_RATE.match(given))
    if "-" in given and kind != "Embedding" and _BELOW_ZERO.search(given):
        return True
    if kind.startswith("Conv") or kind.endswith("__init__"):
        return bool(_GROUPED.search(given) or _PADDED.search(given)) or "padding_mode" in given
    if kind in {"LSTM", "GRU", "RNN"}:
        return bool(_RECURRENT.search(given))
    if kind.startswith("Transformer") and _TRANSFORMER.search(given):
        return True
    if kind in {"GroupNorm", "MultiheadAttention"} or kind.startswith("Transformer"):
        return bool(_TWO.match(given))
    return "padding_idx" in given
