"""Running: the outcomes of an agenda, the same whatever the number of processes.

Several processes, here or elsewhere, run ahead of what is settled. What one of them has done that
an earlier unit turns out to lead to is dropped, so that what counts is what one process alone would
have done.
"""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from torchlint.analysis.units import interpret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torchlint.analysis.agenda import Agenda
    from torchlint.analysis.encoding import Encoding
    from torchlint.analysis.memory import Memory
    from torchlint.analysis.units import Outcome
    from torchlint.analysis.workers import Crew
    from torchlint.project.dependencies import Dependency
    from torchlint.project.index import Index
    from torchlint.registry import Rule

    Done = tuple[bytes, Sequence[tuple[str, Dependency]]]
    """An outcome that is encoded, and what was asked on behalf of files on the way."""

T = TypeVar("T")

_RECURSION = 20_000
"""Deep enough for the longest chains of calls and of ``elif`` that people write or generate."""

_MOST_TREES = 1_600_000
"""So many characters of code are kept parsed from one unit to the next, which takes 52 MB."""


@contextmanager
def uncollected() -> Iterator[None]:
    """Spare the search for cycles.

    There are millions of small objects, and next to none in cycles that are ever given up.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def deep(work: Callable[[], T]) -> T:
    """What some work comes to that may recur deeply, done without a search for cycles."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        with uncollected():
            return _with_room(work)
    finally:
        sys.setrecursionlimit(limit)


def _with_room(work: Callable[[], T]) -> T:
    return work()


# Python keeps the frames of calls in pieces of 16 KB, and takes one from the system and gives it
# back each time that a call crosses from one to the next. A frame that asks for half a megabyte is
# given twice as much, and what it calls has room in the rest.
_with_room.__code__ = _with_room.__code__.replace(co_stacksize=65_536)


class Interpreter:
    """Interprets the units of an agenda, each when it is asked for."""

    def __init__(self, index: Index, agenda: Agenda, rules: Sequence[Rule]) -> None:
        self.index = index
        self.agenda = agenda
        self._rules = rules

    def outcome(self, number: int) -> Outcome:
        """What a unit comes to."""
        found = interpret(self.index, self.agenda.units[number], self._rules)
        self.index.forget_trees(_MOST_TREES)
        return found


def in_turn(
    agenda: Agenda, interpreter: Interpreter, memory: Memory | None
) -> Iterator[tuple[int, Outcome]]:
    """The outcomes of all units that are due, in this process."""
    for number in range(len(agenda.units)):
        if agenda.is_due(number):
            outcome = memory.recall(number) if memory is not None else None
            outcome = outcome or interpreter.outcome(number)
            agenda.note(outcome)
            yield number, outcome


def at_once(
    agenda: Agenda,
    interpreter: Interpreter,
    memory: Memory | None,
    encoding: Encoding,
    crew: Callable[[Callable[[int], Done]], Crew[Done]],
) -> Iterator[tuple[int, Outcome]]:
    """The outcomes of all units that are due, by a crew that is told how this process does one."""
    asked = interpreter.index.dependencies
    asked.news()
    ahead = 0
    ready: dict[int, Outcome] = {}

    def work(number: int) -> Done:
        return encoding.encode(interpreter.outcome(number)), asked.news()

    with crew(work) as workers:
        for number in range(len(agenda.units)):
            while agenda.is_due(number) and number not in ready:
                if not workers:
                    ready[number] = interpreter.outcome(number)
                    break
                while ahead < len(agenda.units) and not workers.are_busy:
                    if agenda.is_due(ahead):
                        known = memory.recall(ahead) if memory is not None else None
                        if known is None:
                            workers.hand(ahead)
                        else:
                            ready[ahead] = known
                    ahead += 1
                for done, result in workers.results():
                    data, news = result or work(done)
                    asked.learn(news)
                    ready[done] = encoding.decode(data)
            outcome = ready.pop(number, None)
            if outcome is not None and agenda.is_due(number):
                agenda.note(outcome)
                yield number, outcome
