"""Outlining: the outlines of all files, from earlier runs or by several processes where it pays."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from torchlint.analysis.workers import Workers
from torchlint.cache.identity import digest
from torchlint.project.outline import Outline
from torchlint.project.sketches import outlined, sketch
from torchlint.sources.reading import concerns_torch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from torchlint.cache.store import Store
    from torchlint.project.index import Index
    from torchlint.sources.source import Source

_SKETCH = "sketch"
_AT_ONCE = 8
"""So many files are handed to a process at once."""

NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What comes of a text that is no Python."""


def outline_all(
    index: Index, sources: Sequence[Source], store: Store | None, processes: int
) -> None:
    """Give the index the outlines of sources, in their order, but of those that are no Python."""
    keys = {source.path: digest(source.text) for source in sources} if store is not None else {}
    known = _kept(store, keys) if store is not None else frozenset()
    left = [source for source in sources if source.path not in known]
    made = {}
    if processes > 1 and len(left) >= processes * _AT_ONCE:
        made = _by_others(index, left, processes)
    for source in sources:
        data = fresh = made.pop(source.path, None)
        if store is not None and source.path in known:
            data = store.get(_SKETCH, keys[source.path])
        with suppress(*NO_PYTHON):
            if data is not None:
                index.adopt(outlined(source, data))
            else:
                outline = index.outline(source)
                fresh = sketch(outline) if store is not None else None
        if store is not None and fresh is not None:
            store.put(_SKETCH, keys[source.path], fresh)


def divided(index: Index, sources: Iterable[Source]) -> tuple[list[Outline], list[Outline]]:
    """The outlines of sources that speak of torch, and of the others that are Python."""
    concerned: list[Outline] = []
    others: list[Outline] = []
    for source in sources:
        with suppress(*NO_PYTHON):
            (concerned if concerns_torch(source) else others).append(index.outline(source))
    return concerned, others


def _kept(store: Store, keys: Mapping[str, str]) -> frozenset[str]:
    """The paths of which an earlier run has made the sketches."""
    return frozenset(path for path, key in keys.items() if store.has(_SKETCH, key))


def _by_others(index: Index, sources: Sequence[Source], processes: int) -> dict[str, bytes]:
    """The sketches of sources by path; those of a process that was killed are missing.

    Meanwhile this process reads the texts for what only one can do.
    """
    groups = [sources[start : start + _AT_ONCE] for start in range(0, len(sources), _AT_ONCE)]

    def work(number: int) -> list[tuple[str, bytes]]:
        made = ((source.path, _sketched(source)) for source in groups[number])
        return [(path, data) for path, data in made if data is not None]

    found: dict[str, bytes] = {}
    with Workers(processes, work) as workers:
        for _, made in workers.all(len(groups)):
            found.update(made or ())
            index.texts.read_on(_AT_ONCE)
    return found


def _sketched(source: Source) -> bytes | None:
    try:
        return sketch(Outline(source))
    except NO_PYTHON:
        return None
