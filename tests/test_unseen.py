"""The readings of findings in projects that were new to torchlint."""

from __future__ import annotations

from unseen import read

from torchlint.registry import rules


def test_each_finding_was_read() -> None:
    readings = read()
    assert len({reading[1:6] for reading in readings}) == len(readings)
    for reading in readings:
        assert reading.code in rules()
        assert reading.reading in {"right", "wrong"}
        assert reading.still in {"yes", "no"}
        assert reading.why
        assert reading.line.isdecimal()
