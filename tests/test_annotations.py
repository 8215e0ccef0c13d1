"""The marks are read from the comments that they stand in."""

from __future__ import annotations

import pytest
from annotations import Mark, parse_marks


def test_trailing_mark_belongs_to_its_line() -> None:
    assert parse_marks("x = 1\ny = 2  # expect: TL101\n") == [Mark(2, "TL101", "expect")]


def test_own_line_belongs_to_next_code_line() -> None:
    text = "def f():\n    # expect: TL101\n\n    # a remark\n    return 1\n"
    assert parse_marks(text) == [Mark(5, "TL101", "expect")]


def test_several_codes_and_a_level() -> None:
    marks = parse_marks("x = 1  # expect: TL101, TL501[pedantic]  # miss: TL102 as it is aliased\n")
    assert marks == [
        Mark(1, "TL101", "expect"),
        Mark(1, "TL102", "miss"),
        Mark(1, "TL501", "expect", "pedantic"),
    ]


def test_a_mark_behind_other_text_stays_on_its_line() -> None:
    text = "# torchlint: ignore[TL301]  # expect: TL002\nx = 1\n"
    assert parse_marks(text) == [Mark(1, "TL002", "expect")]


def test_strings_hold_no_marks() -> None:
    assert parse_marks("x = '# expect: TL101'\n") == []


def test_a_continued_line_counts_by_itself() -> None:
    assert parse_marks("f(\n    x,  # noise: TL101\n)\n") == [Mark(2, "TL101", "noise")]


def test_the_end_of_a_long_string_is_code() -> None:
    text = "x = '''\n'''  # expect: TL101\ny = 1\n"
    assert parse_marks(text) == [Mark(2, "TL101", "expect")]


def test_text_that_is_not_python() -> None:
    text = "def f(:\n  '''\n    # expect: TL001\n"
    assert parse_marks(text) == [Mark(3, "TL001", "expect")]


@pytest.mark.parametrize("comment", ["# expect: nothing", "# fixed:TL1", "# miss: TL101 # noise:"])
def test_a_malformed_mark_is_an_error(comment: str) -> None:
    with pytest.raises(ValueError, match="no mark"):
        parse_marks(f"x = 1  {comment}\n")


def test_contradicting_marks_are_an_error() -> None:
    with pytest.raises(ValueError, match="both"):
        parse_marks("x = 1  # expect: TL101  # miss: TL101\n")
