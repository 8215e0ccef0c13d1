"""Patterns for code find the same in ASCII as they do with Unicode's tables, and no less beyond."""

import re
from pathlib import Path

import pytest

from torchlint.project.skimming import places_of
from torchlint.sources.patterns import Pattern

_PACKAGE = Path(__file__).parent.parent / "torchlint"
_WORD = r"(?m)^\s*(\b\w+)\s*="


@pytest.mark.parametrize(
    "text", ["loss = 1\nloss_2 =0\n", "größe = 1\n", "x = 'größe'\n", "é.y = 0"]
)
def test_what_is_found_is_what_re_finds(text: str) -> None:
    known, pattern = re.compile(_WORD), Pattern(_WORD)
    assert pattern.findall(text) == known.findall(text)
    assert pattern.sub(r"<\1>", text) == known.sub(r"<\1>", text)
    assert pattern.split(text) == known.split(text)
    assert [each.span() for each in pattern.finditer(text, 1)] == [
        each.span() for each in known.finditer(text, 1)
    ]
    for find in ("search", "match", "fullmatch"):
        found, expected = getattr(pattern, find)(text), getattr(known, find)(text)
        assert (found and found.span()) == (expected and expected.span())


@pytest.mark.parametrize("text", ["", "x x.x (x)xx _x x", "x", "éx x", "x_ x1 1x\nx=x"])
def test_a_word_stands_where_a_pattern_of_it_finds_it(text: str) -> None:
    assert list(places_of("x", text)) == [each.start() for each in re.finditer(r"\bx\b", text)]


def test_nothing_is_compiled_before_it_is_looked_for() -> None:
    Pattern("(")
    with pytest.raises(re.error):
        Pattern("(").search("x")


@pytest.mark.parametrize("part", ["project", "interpreter", "torch_api", "sources"])
def test_who_reads_code_does_so_with_these(part: str) -> None:
    for file in sorted((_PACKAGE / part).rglob("*.py")):
        text = file.read_text()
        assert file.name == "patterns.py" or not re.search(r"re\.compile\((?!rb)", text), file
