"""Counts what observations say of one claim, and draws the conclusion."""

from __future__ import annotations

from typing import Literal

from .protocol import ABSENT, OPEN, SHOWN, Observation

# The sentence that shows it, False for what speaks against it, None for what says nothing.
Answer = str | Literal[False] | None
_MOST = 20


class Tally:
    """Answers for and against; it takes ``times`` of one kind, and none of the other, to tell."""

    def __init__(self, times: int) -> None:
        self._times = times
        self._sentences: list[str] = []
        self._against = 0

    def take(self, answer: Answer) -> None:
        """Count an answer; the last sentence is the one that is told."""
        if answer:
            self._sentences.append(answer)
        elif answer is not None:
            self._against += 1

    @property
    def is_full(self) -> bool:
        """Whether more answers would only say the same."""
        return max(len(self._sentences), self._against) >= max(_MOST, self._times)

    @property
    def has_answers(self) -> bool:
        """Whether anything has spoken for or against."""
        return bool(self._sentences or self._against)

    def observation(self, what: str) -> Observation:
        """What the answers come to; ``what`` names what was looked at, as in "calls of `f`"."""
        if self._sentences and self._against:
            return Observation(OPEN, reason=f"{what} differ in this")
        if len(self._sentences) >= self._times:
            return Observation(SHOWN, evidence=self._sentences[-1])
        if self._against >= self._times:
            return Observation(ABSENT, evidence=f"in {self._against} {what} it is not so")
        seen = max(len(self._sentences), self._against)
        return Observation(OPEN, reason=f"only {seen} of {what} could be judged")
