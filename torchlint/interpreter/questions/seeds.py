"""Seeds that are set again and again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from torchlint.interpreter.events.seeds import Seed, Trained
from torchlint.interpreter.events.training import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Const, Spot


def repeated(trace: Trace) -> Iterator[Seed]:
    """Constant seeds within the very loop that trains, or within what is done for every item.

    What steps and is no optimizer may do anything. Where a place goes through several seeds, it
    is the rounds of a loop that are told apart by them; where one is set twice in a round, what
    comes after each is to draw the same.
    """
    rounds = {step.rounds for step in trace.of(Step) if step.rounds and step.address is not None}
    given: dict[tuple[Spot, int], set[Const | None]] = {}
    for seed in trace.of(Seed):
        given.setdefault((seed.spot, seed.frame), set()).add(seed.constant)
    times = Counter((_written(seed), seed.rounds) for seed in trace.of(Seed))
    seen = set()
    for seed in trace.of(Seed):
        several = len(given[seed.spot, seed.frame]) > 1
        if seed.constant is None or seed.restored or seed.spot in seen or several:
            continue
        once = times[_written(seed), seed.rounds] == 1
        if seed.within or (once and seed.rounds in rounds):
            seen.add(seed.spot)
            yield seed


def _written(seed: Seed) -> str:
    return seed.spot.region.text_of(seed.spot.node)


def unseeded(trace: Trace) -> Iterator[tuple[Trained, Step]]:
    """Programs that train, and neither set a seed nor speak of one; and their first step."""
    for trained in trace.of(Trained):
        if not trained.speaks and not trace.of(Seed):
            yield trained, next(step for step in trace.of(Step) if step.rounds)
