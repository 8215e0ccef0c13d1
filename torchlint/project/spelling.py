"""Usual spelling: code as it reads where every statement has a line to itself.

Patterns look for ``Linear(3, 4)``. Where a call takes a line for each argument, or has blanks
within its parentheses, they are shown it as it is usually written; lines are those of the file no
more.
"""

from __future__ import annotations

from functools import lru_cache

from torchlint.project.annotations import ANNOTATION, may_annotate
from torchlint.sources.patterns import Pattern

_END = "\0"
"""Stands behind each comment while lines are joined, as nothing can be joined to a comment."""

_COMMENT = Pattern(r"#[^\n]*\n")
_LAST_COMMA = Pattern(r",[ \t]*\n\s*(?=[)\]}])")
_COMMA = Pattern(rf",[ \t]*\n\s*(?=[^\s{_END}])")
_OPENED = Pattern(rf"([(\[{{])[ \t\n]+(?=[^ \t\n#{_END}])")
_CLOSED = Pattern(r"\n\s*(?=[)\]}]|\.[^\W\d])")


@lru_cache(maxsize=64)  # The same few are looked at by one pattern after the other.
def usual_spelling(text: str) -> str:
    """The code with what stands in brackets on one line, no blanks before what closes them, and no
    annotations where something is assigned.
    """
    ends = "#" in text
    if ends:
        text = _COMMENT.sub(rf"\g<0>{_END}", text)
    text = _COMMA.sub(", ", _LAST_COMMA.sub("", text))
    text = _CLOSED.sub("", _OPENED.sub(r"\1", text))
    if ends:
        text = text.replace(_END, "")
    if may_annotate(text):
        text = ANNOTATION.sub(r"\1 ", text)
    return text.replace(" )", ")").replace(" ]", "]").replace(" ,", ",")
