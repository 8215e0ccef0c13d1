"""The processes that run a program together, and what tells them apart.

A program runs in one process ``ALONE``, or in the ``FIRST`` and the ``OTHERS`` of several.
"""

from __future__ import annotations

from torchlint.frozen import dataclass

ALONE, FIRST, OTHERS = "alone", "first", "others"
ALL = frozenset({ALONE, FIRST, OTHERS})
TOGETHER = frozenset({FIRST, OTHERS})


@dataclass(frozen=True, slots=True)
class Process:
    """A number that a process has of itself: its ``rank``, or how many of them the ``world`` has.

    What is ``computed`` from a rank differs from process to process as well.
    """

    number: str


COMPUTED = Process("computed")


@dataclass(frozen=True, slots=True)
class RankTest:
    """A truth value that depends on the process: for which it can be true, for which false."""

    true: frozenset[str]
    false: frozenset[str]

    def inverted(self) -> RankTest:
        """The opposite."""
        return RankTest(self.false, self.true)


IS_TOGETHER = RankTest(TOGETHER, frozenset({ALONE}))
IS_FIRST = RankTest(frozenset({ALONE, FIRST}), frozenset({OTHERS}))
