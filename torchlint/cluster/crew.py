"""Workers of a cluster, which do units and hand back what they came to."""

from __future__ import annotations

import threading
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor, Future
    from types import TracebackType

    from torchlint.analysis.encoding import UnitName
    from torchlint.analysis.running import Done
    from torchlint.analysis.shipping import Desk, Shipment

_WAITING = 3
"""So many units are handed over for each thread of the workers, so that none waits for the next."""

PATIENCE = 2.0
"""After so many seconds without a result, it is asked whether the workers are still there."""

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

    A unit whose worker was killed goes to another. One that comes to nothing there is done where it
    was asked for; so are all once the scheduler is gone.
    """

    def __init__(
        self,
        executor: Executor,
        sent: Any,
        names: Sequence[UnitName],
        width: Callable[[], int],
    ) -> None:
        self._executor = executor
        self._width = width
        self._sent = sent
        self._names = names
        self._most = _WAITING * width()
        self._numbers: dict[Future[Done], int] = {}
        self._lost: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for future in self._numbers:
            future.cancel()

    def __bool__(self) -> bool:
        """Whether anybody is left."""
        return self._most > 0

    @property
    def are_busy(self) -> bool:
        """Whether no more is to be handed over now."""
        return len(self._numbers) + len(self._lost) >= self._most

    def hand(self, number: int) -> None:
        """Hand a unit over."""
        try:
            future = self._executor.submit(done, self._sent, self._names[number])
        except Exception:
            self._lost.append(number)
        else:
            self._numbers[future] = number

    def results(self) -> Iterator[tuple[int, Done | None]]:
        """What has come back, at least one; None for what comes to nothing there."""
        lost, self._lost = self._lost, []
        yield from ((number, None) for number in lost)
        if lost or not self._numbers:
            return
        finished: set[Future[Done]] = set()
        while not finished and self:
            finished, _ = wait(self._numbers, PATIENCE, return_when=FIRST_COMPLETED)
            if not finished:
                self._most = _WAITING * self._width()
        if not self:
            yield from ((number, None) for number in self._numbers.values())
            self._numbers.clear()
        for future in finished:
            number = self._numbers.pop(future)
            try:
                yield number, future.result()
            except (Exception, CancelledError):
                yield number, None
