"""Lineages: the order in which Python looks for an attribute in a class and its bases."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")


def merged(cls: T, lineages: Sequence[Sequence[T]]) -> tuple[T, ...]:
    """The lineage of a class by those of its bases, as Python's C3 linearisation has it.

    Where these allow for no such order, which Python refuses, bases come depth first.
    """
    depth_first = tuple(dict.fromkeys((cls, *(base for lineage in lineages for base in lineage))))
    left = [list(lineage) for lineage in (*lineages, [lineage[0] for lineage in lineages])]
    order = [cls]
    while left := [lineage for lineage in left if lineage]:
        behind = {base for lineage in left for base in lineage[1:]}
        following = next((lineage[0] for lineage in left if lineage[0] not in behind), None)
        if following is None:
            return depth_first
        order.append(following)
        left = [lineage[1:] if lineage[0] == following else lineage for lineage in left]
    return tuple(order)


def digest(texts: Iterable[str]) -> str:
    """A short word for one text, or for several that say what a class and others look like."""
    written = hashlib.sha256()
    for text in texts:
        written.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return written.hexdigest()
