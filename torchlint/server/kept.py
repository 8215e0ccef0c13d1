"""What analyses have found out, for those that follow: in memory, as nobody needs it afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.cache.store import Store

if TYPE_CHECKING:
    from torchlint.engine import Resources

_MOST_BYTES = 64_000_000


class _Held(Store):
    """A store that lasts as long as its process; what was put there first goes first."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], bytes] = {}
        self._size = 0

    def get(self, kind: str, key: str) -> bytes | None:
        """What was put there."""
        found = self._held.pop((kind, key), None)
        if found is not None:
            self._held[kind, key] = found
        return found

    def has(self, kind: str, key: str) -> bool:
        """Whether it is there."""
        return (kind, key) in self._held

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Keep this, and let go of what nobody has asked for in a long time."""
        self._size += len(data) - len(self._held.pop((kind, key), b""))
        self._held[kind, key] = data
        while self._size > _MOST_BYTES:
            self._size -= len(self._held.pop(next(iter(self._held))))

    def save(self) -> None:
        """There is nothing to be done."""

    def close(self) -> None:
        """There is no file."""


class Kept:
    """What an analysis takes of those before it, as far as it still stands."""

    def __init__(self) -> None:
        self._store = _Held()

    @property
    def resources(self) -> Resources:
        """What an analysis may use: no further processes, as there are threads already."""
        from torchlint.engine import Resources

        return Resources(1, self._store)
