"""Pseudo-words of what may meet a zero: operations as they are written on tensors.

``log``, ``sqrt`` and divisions are everywhere, and hardly ever of what can be zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.project.skimming import has_any, lines_with
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

LOGARITHM = "log!"
"""A logarithm of torch."""

LOGARITHM_OF_PROBABILITY = "log(p)!"
"""A logarithm of torch, beside a softmax or its like."""

ROOT = "sqrt!"
"""A root of torch, where something is compared with itself."""

QUOTIENT = "/!"
"""A division by a sum, norm or deviation, by what is left of one, or among counts."""

QUOTIENT_OF_COUNT = "/n!"
"""A division by a sum or norm, beside a condition, or what cuts off at zero."""

MASK = "-inf!"
"""A softmax after a mask that puts infinity in."""

HALF = "half!"
"""A number that is very small or very large, where there may be float16, or an autocast."""

NAN = "==nan"
"""A comparison with NaN."""

CHOSEN = "where!"
"""A choice by a condition, beside an operation that is steep somewhere."""

_CHOICE = Pattern(r"\b(?:where|masked_fill_?|masked_select)\(")
_OVERWRITTEN = Pattern(
    r"\w\[[^]\n]*(?:[<>=!]=|[<>]|\bis(?:nan|inf|finite)\(|mask)[^]\n]*\] ?=(?!=)"
)
"""What is written where a condition holds."""
_STEEP = Pattern(
    r"\blog(?:2|10)?\(|\br?sqrt\(|\breciprocal\(|\ba(?:rc)?(?:cos|sin)\(|\bpow\("
    r"|\*\* ?(?:-|\(|0?\.)|[\w)\]] ?/ ?(?!\d)[\w(]"
)
_NAN = Pattern(
    r"[=!]= ?(?:float\([\"']nan|[\w.]*\b(?:nan|NaN|NAN)\b)|\b(?:nan|NaN|NAN)\b[\"')]* ?[=!]="
    r"|\b(?:eq|ne)\([^\n]*\b(?:nan|NaN|NAN)\b"
)
_LOGARITHM = Pattern(r"torch\.log(?:2|10)?\(|\.log(?:2|10)?\(\)")
_PROBABILITY = Pattern(r"[sS]oftmax\(|[sS]igmoid\(|tanh\(|relu\(")
_SUM = Pattern(r"/=? ?\(?[\w.]+\.(?:sum|norm)\(")
_CONDITION = Pattern(r"[=!]= |[<>]=? |\.(?:eq|ne|gt|lt|ge|le)\(|relu\(")
_ROOT = Pattern(r"torch\.r?sqrt\(|\.r?sqrt\(\)|\) ?\*\* ?0?\.5|\.pow\(0?\.5\)")
_ITSELF = Pattern(
    r"(?:\[None\b|: ?, None[],]|\.unsqueeze\().*(?:\*\* ?2|\.pow\(2|\.square\()|\.t\(\)"
)
_QUOTIENT = Pattern(
    r"/=? ?\(?[\w.]+\.(?:sum|norm|std)\(|cdist\(|/ ?\(1(?:\.0)? - |/ ?torch\.arange\("
    r"|& ?[^\n]*\)\.sum\("
)
_DIVIDING = (".sum(", ".norm(", ".std(", "cdist(", "- ", ".arange(")
_HALVES = Pattern(r"\bfloat16\b|\bhalf\b")
_AUTOCAST = Pattern(r"\bautocast\((?![^\n]*(?:\bFalse\)|\bdtype=torch\.bfloat16\s*[,)]))")
_SAID = Pattern(r"[ \t]*[rbfuRBFU]{0,2}([\"'])(?:(?!\1)[^\n])*$")
"""A line up to a place within a string that it begins with."""
_EXTREME = Pattern(
    r"\d[eE]-0*(?:[89]|[1-9]\d)\b|\d[eE]\+?0*(?:[5-9]|[1-9]\d)\b|10 ?\*\* ?-?\d|-\d{5}"
)


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    if "log" in text and _LOGARITHM.search(text):
        yield LOGARITHM
        if _PROBABILITY.search(text):
            yield LOGARITHM_OF_PROBABILITY
    if ("sqrt(" in text or ".5" in text) and _ROOT.search(text) and _ITSELF.search(text):
        yield ROOT
    if "/" in text and has_any(text, _DIVIDING) and _QUOTIENT.search(text):
        yield QUOTIENT
        if _SUM.search(text) and _CONDITION.search(text):
            yield QUOTIENT_OF_COUNT
    if ("nan" in text or "NaN" in text or "NAN" in text) and _NAN.search(text):
        yield NAN
    chosen = ("where(" in text or "masked_" in text) and _CHOICE.search(text)
    if (chosen or ("] =" in text and _is_overwritten(text))) and _STEEP.search(text):
        yield CHOSEN
    halves = "float16" in text or "half" in text
    if (halves and _HALVES.search(text) and _EXTREME.search(text)) or (
        "autocast(" in text and _casts(text)
    ):
        yield HALF
    if "inf" in text and "softmax(" in text:
        yield MASK


def _casts(text: str) -> bool:
    """Whether there is an autocast which may be to float16, and no message speaks of it."""
    return any(
        _SAID.match(text[text.rfind("\n", 0, found.start()) + 1 : found.start()]) is None
        for found in _AUTOCAST.finditer(text)
    )


def _is_overwritten(text: str) -> bool:
    return any(_OVERWRITTEN.search(text, *line) for line in lines_with(text, ("] =", "]=")))
