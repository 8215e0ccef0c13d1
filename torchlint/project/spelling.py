"""Usual spelling: code as it reads where every statement has a line to itself.

Patterns look for ``Linear(3, 4)``. Where a call takes a line for each argument, or has blanks
within its parentheses, they are shown it as it is usually written; lines are those of the file no
more.
"""

from __future__ import annotations

import re
from functools import lru_cache

from torchlint.project.annotations import ANNOTATION, may_annotate

_END = "\0"
"""Stands behind each comment while lines are joined, as nothing can be joined to a comment."""

_COMMENT = re.compile(r"#[^\n]*\n")
_LAST_COMMA = re.compile(r",[ \t]*\n\s*(?=[)\]}])")
_COMMA = re.compile(rf",[ \t]*\n\s*(?=[^\s{_END}])")
_OPENED = re.compile(rf"([(\[{{])[ \t\n]+(?=[^ \t\n#{_END}])")
_CLOSED = re.compile(r"\n\s*(?=[)\]}]|\.[^\W\d])")


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
