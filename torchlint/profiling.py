"""Where the time of a run goes: CPU seconds by phase, and by rule."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")

_NOTHING = nullcontext()
_MOST = 15
_WIDTH = 30


class Profile:
    """What was measured."""

    def __init__(self) -> None:
        self.phases = Counter[str]()
        self.rules = Counter[str]()

    def lines(self) -> Iterator[str]:
        """A table with bars: the phases in their order, then the rules that take longest."""
        whole = sum(self.phases.values()) or 1.0
        for name, seconds in self.phases.items():
            yield _line(name, seconds, whole)
        yield f"of which rules take {sum(self.rules.values()):.2f} s, the longest"
        for name, seconds in self.rules.most_common(_MOST):
            yield _line(name, seconds, whole)


_current: Profile | None = None


@contextmanager
def profiled() -> Iterator[Profile]:
    """While it lasts, phases and rules are measured."""
    global _current
    _current = profile = Profile()
    try:
        yield profile
    finally:
        _current = None


def phase(name: str) -> AbstractContextManager[None]:
    """A phase of a run, which has no other in it."""
    return _NOTHING if _current is None else _measured(_current.phases, name)


def rule(code: str, name: str, claims: Iterator[T]) -> Iterator[T]:
    """What a rule has to say, as it is asked, in whatever phase."""
    return claims if _current is None else _told(_current.rules, f"{code} {name}", claims)


def _told(counter: Counter[str], name: str, claims: Iterator[T]) -> Iterator[T]:
    end = object()
    while True:
        with _measured(counter, name):
            claim = next(claims, end)
        if claim is end:
            return
        yield cast("T", claim)


@contextmanager
def _measured(counter: Counter[str], name: str) -> Iterator[None]:
    began = time.process_time()
    try:
        yield
    finally:
        counter[name] += time.process_time() - began  # type: ignore[assignment]


def _line(name: str, seconds: float, whole: float) -> str:
    return f"{name:<34}{seconds:>8.2f} s  {'█' * round(_WIDTH * seconds / whole)}".rstrip()
