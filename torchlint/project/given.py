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


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    if "dropout" in text or "batch_norm(" in text:
        for found in _DROPPING.finditer(text):
            if not _tells_mode(found[1], arguments(text, found.end())):
                yield ALWAYS_ON
                break


def _tells_mode(name: str, given: str) -> bool:
    """Whether a call is told the mode, or needs none."""
    if name == "batch_norm":
        return "training=True" not in given and ", True" not in given
    if name == "scaled_dot_product_attention":
        return "dropout_p" not in given and given.count(",") < 4
    return "training" in given or given.count(",") > 3


def arguments(text: str, start: int) -> str:
    """What a call is given, from ``start`` up to the parenthesis that closes it."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[at], 0)
        if not depth:
            return text[start:at]
    return text[start:]
