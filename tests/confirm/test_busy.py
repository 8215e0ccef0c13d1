"""What counts of the time that a job takes."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from torchlint.confirm.runner.limits import Overtime, time_limit
from torchlint.confirm.runner.processes import waited
from torchlint.confirm.runner.server import Child


def child(waited: float) -> Child:
    request: Any = SimpleNamespace(limits=SimpleNamespace(seconds=10))
    return Child(request, 1, 2, 3, 4, "", began=100.0, waited=waited)


@pytest.mark.parametrize(("waited", "ends"), [(0, 110), (5, 115), (1000, 118)])
def test_waiting_for_a_processor_does_not_count(waited: float, ends: float) -> None:
    assert child(waited).deadline == ends


def test_who_has_no_processes_has_waited_for_nothing() -> None:
    assert waited(2**22 + 1) == 0


def work_in_blocks(seconds: float) -> None:
    began = time.process_time()
    while time.process_time() - began < seconds:
        with time_limit(60):
            sum(range(100_000))


def test_time_in_a_block_within_counts_for_the_one_around_it() -> None:
    with pytest.raises(Overtime, match=r"0\.3 seconds"), time_limit(0.3):
        work_in_blocks(10)
