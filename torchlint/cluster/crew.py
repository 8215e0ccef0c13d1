"""Workers of a cluster, which do units and hand back what they came to."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Self

from torchlint.cluster.errands import Errands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

    from torchlint.analysis.encoding import UnitName
    from torchlint.analysis.running import Done
    from torchlint.analysis.shipping import Desk, Shipment

_WAITING = 3
"""So many units are handed over for each thread of the workers, so that none waits for the next."""

_desks: list[tuple[Shipment, Desk]] = []
"""The project that this process, a worker, has been sent last."""

_at_work = threading.Lock()
"""A desk is for one thread at a time."""


def done(shipment: Shipment, name: UnitName) -> Done:
    """What a unit of a project comes to: what a worker is asked."""
    from torchlint.analysis.shipping import Desk

    with _at_work:
        if not _desks or _desks[0][0] is not shipment:
            _desks[:] = [(shipment, Desk(shipment))]
        return _desks[0][1].done(name)


class CrewOfCluster:
    """Units on their way to workers of a cluster and back; ``width`` counts the workers' threads.

    One that comes to nothing there is done where it was asked for.
    """

    def __init__(
        self,
        executor: Executor,
        sent: Any,
        names: Sequence[UnitName],
        width: Callable[[], int],
    ) -> None:
        self._errands: Errands[Done] = Errands(executor, width)
        self._sent = sent
        self._names = names

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._errands.cancel()

    def __bool__(self) -> bool:
        """Whether anybody is left."""
        return self._errands.width > 0

    @property
    def are_busy(self) -> bool:
        """Whether no more is to be handed over now."""
        return len(self._errands) >= _WAITING * self._errands.width

    def hand(self, number: int) -> None:
        """Hand a unit over."""
        self._errands.hand(number, done, self._sent, self._names[number])

    def results(self) -> Iterator[tuple[int, Done | None]]:
        """What has come back, at least one; None for what comes to nothing there."""
        return self._errands.results()
