"""Calls on their way to the workers of a cluster, and what they come to.

One whose worker was killed goes to another by itself; what comes to nothing on all of them, and
what was under way when the scheduler went, comes back as None.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor, Future

T = TypeVar("T")

_PATIENCE = 2.0
"""After so many seconds without a result, it is asked whether the workers are still there."""


class Errands(Generic[T]):
    """Calls by number; ``width`` counts the workers' threads.

    An error of the kind that is ``fatal`` is raised, as it would be the same anywhere.
    """

    def __init__(
        self,
        executor: Executor,
        width: Callable[[], int],
        fatal: type[Exception] | tuple[()] = (),
    ) -> None:
        self._executor, self._ask, self._fatal = executor, width, fatal
        self.width = width()
        self._numbers: dict[Future[T], int] = {}
        self._lost: list[int] = []

    def __len__(self) -> int:
        """How many are on their way."""
        return len(self._numbers) + len(self._lost)

    def cancel(self) -> None:
        """Nobody waits for the rest."""
        for future in self._numbers:
            future.cancel()

    def hand(self, number: int, call: Callable[..., T], *arguments: object) -> None:
        """Send one."""
        try:
            self._numbers[self._executor.submit(call, *arguments)] = number
        except Exception:
            self._lost.append(number)

    def results(self) -> Iterator[tuple[int, T | None]]:
        """What has come back, at least one; None for what comes to nothing."""
        lost, self._lost = self._lost, []
        yield from ((number, None) for number in lost)
        if lost or not self._numbers:
            return
        finished: set[Future[T]] = set()
        while not finished and self.width:
            finished, _ = wait(self._numbers, _PATIENCE, return_when=FIRST_COMPLETED)
            if not finished:
                self.width = self._ask()
        if not self.width:
            lost = [*self._numbers.values()]
            self._numbers.clear()
            yield from ((number, None) for number in lost)
        for future in finished:
            number = self._numbers.pop(future)
            try:
                yield number, future.result()
            except self._fatal:
                raise
            except (Exception, CancelledError):
                yield number, None
