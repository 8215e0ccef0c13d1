"""The readings of verdicts on real projects."""

from __future__ import annotations

import census
from fetch import PROJECTS
from proofs import read

from torchlint.findings import Status


def test_each_verdict_that_was_read_is_right() -> None:
    for project, table in read().items():
        for key, reading in table.items():
            is_open = Status(reading.verdict) is Status.INCONCLUSIVE
            assert reading.reading == ("" if is_open else "right"), f"{project} {key}"
            assert is_open == (not reading.why), f"{project} {key}"


def test_no_verdict_is_at_odds_with_the_census() -> None:
    wanted = {"confirmed": {"right"}, "refuted": {"wrong"}, "inconclusive": {"right", "wrong"}}
    for project in PROJECTS:
        judged, found = read()[project], census.read(project)
        for key in judged.keys() & found.keys():
            assert found[key].reading in wanted[judged[key].verdict], f"{project} {key}"
