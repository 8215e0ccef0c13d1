"""The readings of findings in projects that were new to torchlint, and what is said of them."""

from __future__ import annotations

from unseen import TABLE, read, totals

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


def test_the_readme_says_what_the_table_says() -> None:
    said = (TABLE.parent / "README.md").read_text("utf-8")
    assert totals() in said, "put in what benchmarks/unseen.py prints"
