"""Pseudo-words of code that changes the shapes of tensors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.skimming import has_any, word_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAT = "flatten(x)"
"""A region that puts all dimensions into one, and has an object to call layers of."""

ARGMAX = "argmax()=="
"""A region that takes the largest of everything, and compares something for equality, with what
may be more than a number or string."""

_ALONG = r"(?:dim|axis)(?:\s*=\s*+(?!None)|\s*\))|-?\d+\s*\)"
"""What says a dimension."""

_ARGMAX = Pattern(
    r"\.arg(?:max|min)\(\s*\)"
    rf"|\barg(?:max|min)(?<!\bnp\.argm..)\((?!\s*+(?:{_ALONG}))(?:[^(),\n]|\([^()\n]*\))+\)"
)
_EQUAL = Pattern(
    r"[=!]=\s*+(?![\"']|(?:None|True|False)\b|-?\d[\w.]*+\s*+(?![-+*/@%]))|\.(?:eq|ne)\("
)
SQUEEZED = "squeeze()!"
"""A region that squeezes something, and says no dimension."""

_SQUEEZED = Pattern(r"\.squeeze\(\s*\)|\btorch\.squeeze\((?:[^(),\n]|\([^()\n]*\))+\)")
FOLDED = "view(-1, 400)"
"""A region of a layer's that asks for rows of a length, and leaves their number to torch."""

_LENGTH = r"(?:\d{2,}|[\w.]+(?: *\* *[\w.]+)+)"
_FOLDED = Pattern(rf"\.(?:view|reshape)\(\s*[\[(]?\s*-1,\s*{_LENGTH}\s*[\])]?\s*\)")
PINNED = "view(64, -1)"
"""A region of a layer's with a number for the first size of a view, or the second of a state."""

_NUMBER = r"(?:[4-9]|[1-9]\d+)"
_PINNED = Pattern(
    rf"\.(?:view|reshape)\(\s*[\[(]?\s*{_NUMBER}\s*,(?!\s*-1\s*,)"
    rf"|{word_of('zeros', 'randn', 'rand', 'ones')}\(\s*[\[(]?[^,()\[\]]+"
    rf",\s*{_NUMBER}\s*,(?!\s*-1\s*,)"
)
TURNED = "transpose().view()"
"""A region that asks for a view of what it has turned, or at the top level one that turns."""

TURNED_IN = "self: transpose().view()"
"""A method that does so."""

CUT = "t()[:].view()"
"""A region that turns something, compares, and asks for a view of the first rows of something."""

_CUT = Pattern(r"\w\[[^]:\n]*:[^]\n]*\]\s*\.view\(")

_METHOD = Pattern(r"\s*(?:@[^\n]*\n\s*)*(?:async )?def \w+\(\s*self\b")
_TURN = (
    r"(?:\.(?:transpose|permute|swapaxes|swapdims|movedim|moveaxis|t)"
    r"\((?:[^()]|\([^()]*\))*\)|\.m?T\b)"
)
_UNTIL = r"(?:\s*\.(?!contiguous|clone|reshape)\w+\(\))*\s*\.view(?:_as)?\("
_COPIED = r"(?!\s*\.(?:contiguous|clone|reshape|flatten|shape|size)\b)"
_VIEWED = Pattern(_TURN + _UNTIL)
_KEPT = Pattern(r"^[ \t]*([\w.]+)\s*=(?!=)[^\n]*" + _TURN + _COPIED, re.MULTILINE)
_TURNS = ("transpose(", "permute(", ".t()", ".T", ".mT", "swap", "movedim(", "moveaxis(")
_FLAT = Pattern(
    r"(?:flatten(?:(?<=\btorch\.flatten)|(?<![\w.]flatten))|ravel(?:(?<=\btorch\.ravel)|(?<![\w.]ravel)))"
    r"\((?:[^(),\n]|\([^()\n]*\))+(?:,\s*(?:start_dim=)?0)?\)"
    r"|\.(?:flatten|ravel)\((?:start_dim=)?0?\)"
    r"|\.(?:view|reshape)\(\s*[\[(]?\s*-1\s*,?\s*[\])]?\s*\)"
    rf"|{word_of('reshape')}\([\w.]+,\s*[\[(]?-1,?[\])]?\)"
)
_FIXING = ("view(", "reshape(", "zeros(", "rand", "ones(")
_PARTS = ("flatten(", "ravel(", "view(", "reshape(")
_BUILT = Pattern(r"\bFlatten\((?:start_dim=)?0\b")


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    flat = "self." in text and has_any(text, _PARTS) and _FLAT.search(text)
    if flat or ("Flatten(" in text and _BUILT.search(text)):
        yield FLAT
    if has_any(text, _TURNS) and _is_viewed(text):
        yield TURNED_IN if _METHOD.match(text) else TURNED
    if ".t()" in text and (".eq(" in text or "==" in text) and _CUT.search(text):
        yield CUT
    if "(-1, " in text and "self." in text and _FOLDED.search(text):
        yield FOLDED
    if "self." in text and has_any(text, _FIXING) and _PINNED.search(text):
        yield PINNED
    if "squeeze(" in text and _SQUEEZED.search(text):
        yield SQUEEZED
    if "argm" in text and _ARGMAX.search(text) and _EQUAL.search(text):
        yield ARGMAX


def _is_viewed(text: str) -> bool:
    """Whether what is turned is asked for a view of, itself or by the name that it gets."""
    if ".view" in text and _VIEWED.search(text):
        return True
    within = text.lstrip().startswith(("def ", "async ", "@", "class "))
    if within and ".view" not in text:
        return False
    return any(
        not within or re.search(rf"(?<![\w.]){re.escape(found[1])}{_UNTIL}", text[found.end() :])
        for found in _KEPT.finditer(text)
    )
