"""Pseudo-words of layers that are built with settings which may not go together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.given import arguments
from torchlint.project.skimming import has_any, word_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = "Conv2d(10,20,groups=3)"
"""A region that builds a layer with numbers of which one has to divide the other, a number that may
be out of bounds, or a quotient for a size."""

NUMBERED = "tensor([1])"
"""A region that makes a tensor of whole numbers which are written out: labels, tokens, indices; not
of a zero alone, than which nothing has fewer."""

TIME_FIRST = "LSTM()"
"""A region that builds a layer of sequences, and does not say whether the batch comes first."""

PATTERN = "einsum('ij->ik')"
"""A region with a pattern for `einsum` or `rearrange` that may not mean anything."""

_PATTERN = Pattern(r"\b(einsum|[rR]earrange)\([^\"'\n]*[\"']([^\"'\n]*)[\"']")
_LETTERS = Pattern(r"[A-Za-z]")
_NAMES = Pattern(r"\w+")
_STRANGE = Pattern(r"[^A-Za-z ,.>-]|(?<!\.)\.{1,2}(?!\.)|-(?!>)|(?<!-)>")
_SEQUENCES = Pattern(
    r"(?<!class )\b(?:LSTM|GRU|RNN|MultiheadAttention|Transformer(?:En|De)coderLayer)\("
    r"|\bnn\.Transformer\("
)
_NUMBERED = Pattern(r"\b(?:tensor|LongTensor)\(\s*\[[\[\s]*(?:0\s*,|[1-9]\d*\s*[,\]])")
_CALL = Pattern(
    "("
    + word_of(
        *(r"Conv(?:Transpose)?[123]d", "GroupNorm", "MultiheadAttention", "LSTM", "GRU", "RNN"),
        *(r"Transformer(?:\w+Layer)?", r"Embedding(?:Bag)?", "Linear", r"BatchNorm[123]d"),
        *("LayerNorm", r"Dropout[123]?d?", "AlphaDropout", "FeatureAlphaDropout"),
        r"super\(\w*(?:, \w+)?\)\.__init__",
    )
    + r")\("
)
_TRIGGERS = (
    *("groups", "GroupNorm(", "MultiheadAttention(", "Transformer", "LSTM(", "GRU(", "RNN("),
    *("Dropout", "padding_idx", "same", "padding_mode", " / "),
)
_TWO = Pattern(r"\s*(?:\w+\s*=\s*)?\d+\s*,\s*(?:\w+\s*=\s*)?\d+\s*(?:,|$)")
_GROUPED = Pattern(r"\s*(?:\w+\s*=\s*)?\d+\s*,.*\bgroups\s*=\s*(?!1\b)\d+\s*(?:,|$)", re.DOTALL)
_MODE = Pattern(r"padding_mode\s*=\s*['\"](?!zeros|reflect|replicate|circular)")
_QUOTIENT = Pattern(r"(?:^|[,=])[^(),/]*[\w\])]\s*/\s*(?!/)[\w(]")
_BELOW_ZERO = Pattern(r"(?:^|,|=)\s*-\s*\d")
_RATE = Pattern(r"\s*(?:p\s*=\s*)?(?:-|[1-9]\d|[2-9]|1\.0*[1-9])")
_RECURRENT = Pattern(
    r"num_layers\s*=\s*0\b|^[^,]+,[^,=]+,\s*0\s*(?:,|$)|proj_size|dropout\s*=\s*(?:[1-9]|-)"
    r"|nonlinearity"
    # What comes fourth is a flag, and no rate.
    r"|^[^,=]+,[^,=]+,[^,=]+,\s*(?!True\b|False\b|bias\b)[^,=\s][^,=]*(?:,|$)"
)
_PADDED = Pattern(r"padding\s*=\s*['\"]same.*stride|stride.*padding\s*=\s*['\"]same", re.DOTALL)
_OF_SETTINGS = Pattern(
    # Two attributes, of which nobody knows that one is less than the other.
    r"\s*(?:num_embeddings\s*=\s*)?(?P<size>\w+\.[\w.]+)\s*,[^=]*[,=]"
    r"\s*(?:padding_idx\s*=\s*)?(?!(?P=size)\b)\w+\.[\w.]+\s*,?\s*$"
)
_TRANSFORMER = Pattern(r"dropout\s*=\s*(?:[1-9]|-)|activation\s*=\s*['\"](?!relu|gelu)")


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    if has_any(text, _TRIGGERS) and any(
        _may_clash(found[1], arguments(text, found.end())) for found in _CALL.finditer(text)
    ):
        yield SETTINGS
    if has_any(text, ("LSTM(", "GRU(", "RNN(", "MultiheadA", "Transformer")) and any(
        "batch_first" not in arguments(text, found.end()) for found in _SEQUENCES.finditer(text)
    ):
        yield TIME_FIRST
    if ("einsum(" in text or "earrange(" in text) and any(
        _is_odd(*found.groups()) for found in _PATTERN.finditer(text)
    ):
        yield PATTERN
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
        return any(each.search(given) for each in (_GROUPED, _PADDED, _MODE))
    if kind in {"LSTM", "GRU", "RNN"}:
        return bool(_RECURRENT.search(given))
    if kind.startswith("Transformer") and _TRANSFORMER.search(given):
        return True
    if kind in {"GroupNorm", "MultiheadAttention"} or kind.startswith("Transformer"):
        return bool(_TWO.match(given))
    return "padding_idx" in given and not _OF_SETTINGS.match(given)


def _is_odd(kind: str, pattern: str) -> bool:
    """Whether a pattern has on one side what it has not on the other, or what is no letter."""
    left, arrow, right = pattern.partition("->")
    if kind == "einsum":
        strange = _STRANGE.search(pattern) is not None
        return strange or not set(_LETTERS.findall(right)) <= set(_LETTERS.findall(left))
    uneven = set(_NAMES.findall(left)) - {"1"} != set(_NAMES.findall(right)) - {"1"}
    return not arrow or uneven or pattern.count("(") != pattern.count(")")
