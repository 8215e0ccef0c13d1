"""Claims about code that a framework runs: its loop would have to run as well, and is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..protocol import OPEN, Observation

if TYPE_CHECKING:
    from ..protocol import Job


def lightning_contract(job: Job) -> Observation:
    """TL240: what Lightning's trainer makes of it."""
    return Observation(OPEN, reason="the loop is that of Lightning's trainer, which is not run")


def accelerate_contract(job: Job) -> Observation:
    """TL241: what Accelerate makes of it."""
    reason = "what Accelerate leaves out depends on how it is configured and launched"
    return Observation(OPEN, reason=reason)
