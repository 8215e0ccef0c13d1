"""Pseudo-words of what gives values and indices, and is used as if it were one tensor."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.given import arguments
from torchlint.project.skimming import has_any
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

PAIR = "max(dim)+"
"""The pseudo-word of a region that takes what ``max(dim)`` or its like gives for a tensor."""

_GIVING = Pattern(
    r"(?<!\bnp)(?<!\bnumpy)\.(max|min|median|nanmedian|sort|topk|kthvalue|mode|cummax|cummin)\("
)
_NAMES = (".max(", ".min(", "median(", ".sort(", ".topk(", ".kthvalue(", ".mode(", ".cumm")
_ALONG = Pattern(
    r"(?:^|,|\b(?:dim|axis)\s*=)\s*(?:-?\d+|dim|axis)\s*(?:,\s*(?:keepdim\s*=|True)[^,]*)?$"
)
_OF_A_CALL = Pattern(r"\)\.(?!(?:data|grad|values|indices|m?[TH]|real|imag)$)[a-z_]\w*$")
"""An attribute of what a call gives, but one that tensors have: nothing tells that it is one."""

_BY_KEYWORD = Pattern(r"\b(?:dim|axis)\s*=")
_ASSIGNED = Pattern(r"^[ \t]*(?:\w+\s*=\s*)*([A-Za-z_][\w.]*)[ \t]*(?::[^=\n]+)?=(?!=)[^=\n]*$")
_USED = Pattern(r"[ \t]*(?:[-+/@<>%&|]|\*|[=!]=|\.(?!values\b|indices\b))")
_IN_CALL = Pattern(r"[\w\])]\(\s*[^()\[\]\n]*$")
_TAKEN = r"(?:\.(?!values\b|indices\b)\w|[ \t]*(?:[-+/@<>%&|*]|[=!]=)(?!=\s*$)|\s*[,)])"


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    if has_any(text, _NAMES) and any(_is_taken(text, found) for found in _GIVING.finditer(text)):
        yield PAIR


def _is_taken(text: str, found: re.Match[str]) -> bool:
    if _OF_A_CALL.search(text[max(0, found.start() - 60) : found.start()]):
        return False
    given = arguments(text, found.end())
    if found[1] in {"max", "min", "median", "nanmedian"} and not (
        _ALONG.search(given.strip().rstrip(",")) or _BY_KEYWORD.search(given)
    ):
        return False
    if found[1] == "sort" and ("key" in given or "reverse" in given):
        return False
    after = text[found.end() + len(given) + 1 :]
    before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    if _USED.match(after) or re.search(r"(?:[-+*/@<>]|[=!]=)\s*[\w.]*$", before):
        return True
    if re.match(r"\s*[),]", after) and _IN_CALL.search(before):
        return True
    named = _ASSIGNED.match(before)
    if named is None or not re.match(r"[ \t]*(?:#[^\n]*)?(?:\n|$)", after):
        return False
    # At the top level what takes it is another statement, and another region.
    within = text.lstrip().startswith(("def ", "async ", "@", "class "))
    name = re.escape(named[1])
    return not within or bool(
        re.search(rf"(?<![\w.]){name}{_TAKEN}|[-+*/@<>=]=?\s*{name}(?![\w.(\[])", after)
    )
