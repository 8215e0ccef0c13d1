"""Addresses: what is made later has a higher one, unless its place was kept."""

from __future__ import annotations

import itertools
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPANS = (10**15, 10**12, 10**9, 10**6)
"""How many are kept at once, by how many times they are taken from what was kept."""

_addresses = itertools.count(1)
_depth = 0


class Kept(NamedTuple):
    """Addresses that are kept for what is made later, from the first on."""

    first: int
    depth: int

    @property
    def end(self) -> int:
        """What comes after the last."""
        return self.first + _SPANS[self.depth]


def restart() -> None:
    """Begin anew: sets of addresses have their order by them, and runs do not know each other."""
    global _addresses
    _addresses = itertools.count(1)


def new_address() -> int:
    """An address that no other object of a run has."""
    return next(_addresses)


def keep() -> Kept | None:
    """Keep addresses for later; None where they are taken from what was kept too often."""
    global _addresses
    if _depth == len(_SPANS):
        return None
    kept = Kept(next(_addresses), _depth)
    _addresses = itertools.count(kept.end)
    return kept


@contextmanager
def of(kept: Kept) -> Iterator[None]:
    """Take new addresses from those that were kept."""
    global _addresses, _depth
    outer = _addresses, _depth
    _addresses, _depth = itertools.count(kept.first), kept.depth + 1
    try:
        yield
    finally:
        _addresses, _depth = outer


@contextmanager
def apart() -> Iterator[None]:
    """Count anew for a run within a run, which leaves nothing behind."""
    global _addresses, _depth
    outer = _addresses, _depth
    _addresses, _depth = itertools.count(1), 0
    try:
        yield
    finally:
        _addresses, _depth = outer
