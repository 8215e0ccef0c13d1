"""A time limit on a stretch of the user's code, inside its process."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


class Overtime(BaseException):
    """The stretch took too long; no ``except Exception`` of the user's catches it."""


# What traces the lines: Python would do without it from then on if the alarm came out of it.
_TRACER = os.path.join(os.path.dirname(__file__), "lines.py")
_MOMENT = 0.001
# So many seconds more it may take, as what watches may run code of the user's that never ends.
_GRACE = 1.0
# How much longer a stretch may take that gets little of a busy processor.
_PATIENCE = 4


class Budget:
    """Seconds of work, which take longer on a busy machine, within reason."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._worked, self._began = time.process_time(), time.monotonic()

    @property
    def left(self) -> float:
        """What is left of them; below zero once they are spent."""
        waited = (time.monotonic() - self._began) / _PATIENCE
        return self._seconds - max(time.process_time() - self._worked, waited)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise Overtime in the block after so long; without timers the process's limit must do.

    What counts is the work, within reason: on a busy machine it takes longer.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    budget, began = Budget(seconds), time.monotonic()

    def ring(number: int, frame: FrameType | None) -> None:
        if budget.left > 0.05:
            signal.setitimer(signal.ITIMER_REAL, budget.left)
        elif budget.left > -_GRACE and _is_traced(frame):
            signal.setitimer(signal.ITIMER_REAL, _MOMENT)
        else:
            raise Overtime(f"took longer than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    outer, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        left = outer - (time.monotonic() - began)
        if left > 0:
            signal.setitimer(signal.ITIMER_REAL, left)
        elif outer:  # what is around this block has waited for it as well
            signal.raise_signal(signal.SIGALRM)


def _is_traced(frame: FrameType | None) -> bool:
    """Whether it is the tracer that runs, or what it calls."""
    while frame is not None:
        if frame.f_code.co_filename == _TRACER:
            return True
        frame = frame.f_back
    return False
