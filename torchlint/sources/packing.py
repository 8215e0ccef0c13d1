"""Packing: texts in as few bytes as they need, as all of a project are kept at once.

A single emoji makes a ``str`` four times as large as the file that it comes from.
"""

from __future__ import annotations

from functools import lru_cache

Packed = str | bytes
"""A text that is all ASCII, or the UTF-8 of one that is not."""

_NEAR = 64
"""So many texts stay unpacked: what is asked of one is mostly asked again soon."""


def packed(text: str) -> Packed:
    """What is kept of a text."""
    return text if text.isascii() else text.encode("utf-8", "surrogatepass")


def unpacked(kept: Packed) -> str:
    """The text of which something was kept."""
    return kept if isinstance(kept, str) else _decoded(kept)


@lru_cache(_NEAR)
def _decoded(kept: bytes) -> str:
    return kept.decode("utf-8", "surrogatepass")
