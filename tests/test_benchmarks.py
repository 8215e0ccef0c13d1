"""What the benchmarks' README says of them."""

from __future__ import annotations

from tables import README, filled


def test_the_readme_says_what_the_tables_say() -> None:
    said = README.read_text("utf-8")
    assert filled(said) == said, "run benchmarks/tables.py"


def test_the_readme_names_each_benchmark() -> None:
    said = README.read_text("utf-8")
    assert [file.name for file in README.parent.glob("*.py") if file.name not in said] == []
