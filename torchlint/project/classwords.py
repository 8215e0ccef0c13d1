"""Pseudo-words of methods that do something with the attributes of their object."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.factories import FACTORIES, FLOATS
from torchlint.project.skimming import word_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

EARLY = "super!"
"""A constructor that makes an attribute of what may be a layer before it calls any other one."""

_CONSTRUCTOR = Pattern(r"def __(?:post_)?init__\(")
BEGUN = Pattern(r"\bsuper\(\s*(?:\w+\s*,\s*\w+\s*)?\)\s*\.\s*__\w+__\(|\w\.__init__\(")
"""The call of another constructor in one."""

_LAYER = Pattern(r"\bself\.\w+[ \t]*(?::[^=\n]*)?=[ \t]*(?:[\w.]+\.)?[A-Z]\w*\(|\bself\.\w+\(")

ONE_OUTPUT = "Linear(n,1)"
"""A method that builds a linear layer with one output."""

_ONE_OUTPUT = Pattern(r"\bLinear\([^(),\n]*,\s*1\s*[,)]")

HIDING = "self=[nn]"
"""A method that gives its object a list, dict, tuple or set, and makes what may be a layer."""

KEEPING = "self.x.append()"
"""A method that adds to a list of its object."""

CARRYING = "self.x=f(self.x)"
"""A method of a forward that gives its object what may be computed from what it had."""

_WORKING = Pattern(r"def _*(?:forward|update|step|accumulate|track)")

_APPENDED = Pattern(rf"{word_of('self')}\.\w+(?:\.(?:append|appendleft|extend|add)\(| \+= \[)")
_TAKEN = Pattern(
    r"^[ \t]*(?:[\w.]+, ?)*self\.(\w+)(?:, ?[\w.]+)*[ \t]*(?:[-+*/]?=(?!=))", re.MULTILINE
)
_READ = Pattern(rf"{word_of('self')}\.(\w+)\b(?![ \t]*[-+*/]?=(?!=)|\(| is |\.shape)")
_COUNTED = Pattern(r"[ \t]*[-\d.]+[ \t]*$", re.MULTILINE)

PLAIN_TENSOR = "self.x=zeros()"
"""A constructor, or what it may call, that gives its object a tensor which is no buffer, and does
not say where it is."""

_TENSOR = Pattern(rf"\b(?:torch\.)?(?:{'|'.join(sorted(FLOATS | FACTORIES))})\(")
_ASSIGNED = Pattern(
    r"(?:^|;)[ \t]*(?:(self\.\w+)(?:, ?self\.\w+)*|([a-zA-Z_]\w*))[ \t]*(?::[^=\n]*)?"
    r"=(?!=)[ \t]*([^\n]*)",
    re.MULTILINE,
)
_NO_PLAIN_TENSOR = Pattern(
    r"Parameter\(|buffer|\bdevice\b|\.cuda\(|\bnn\.|\bnp\.|\.item\(|\.tolist\(|(?<![\w.])[A-Z]\w*\("
)
_SETTING_UP = Pattern(
    r"def _*(?:init(?!__)|set_?up|build|create|make|reset|prepare|precompute|compute|generate)"
)
"""What is called as a constructor calls it."""
_NAME = Pattern(r"(?<![\w.])[a-zA-Z_]\w*")

LATE = "if:self.x=nn.X()"
"""A method of a forward that gives its object a layer or a parameter, under a condition."""

_BUILDING = Pattern(
    r"def _*(?:forward|build|create|make|lazy|setup|init(?!_weights|__)|ensure|get|add|grow)"
)
_GIVEN = Pattern(
    r"\bself\.\w+(?:\[[^]\n]*\])?[ \t]*=[ \t]*[^\n]*(?:\bnn\.[A-Z]\w*\(|\bParameter\(|\bLinear\()"
    r"|\bself\.(?:register_parameter|register_module|add_module)\(|\bsetattr\(self\b[^\n]*nn\."
    r"|\bself\.\w+\.append\([^\n]*\bnn\."
)

_COLLECTION = r"(?:[\[{(]|(?:list|dict|tuple|set|deque|defaultdict|(?:collections\.)?\w*Dict)\()"
_KEPT = Pattern(
    rf"({word_of('self')}\.\w+)[ \t]*(?::[^=\n]*)?=[ \t]*(?:{_COLLECTION}|(\w+)[ \t]*(?:#.*)?$)",
    re.MULTILINE,
)
_LISTED = Pattern(rf"^[ \t]*(\w+)[ \t]*(?::[^=\n]*)?=[ \t]*{_COLLECTION}", re.MULTILINE)
_FILLED = Pattern(r"(self\.\w+)(?:\.(?:append|add)\((?!dict\()|\[[^]\n]*\][ \t]*=)")
_MADE = Pattern(
    r"\bnn\.(?!ModuleList|ModuleDict|Sequential\(\*|functional|Module\b)[A-Z]\w*\(|\bParameter\("
    r"|(?<![\w.])[A-Z]\w*[a-z]\w*(?<!Error)\("
    r"|(?<![\w.])(?:self\.)?_*(?:make|build|create|get)_\w+\("
    r"|(?<![\w.])(?:self\.)?\w*(?:layer|block|head|mlp|conv)\w*\("
)
_MAPPED = Pattern(r"\[\s*self\.[a-z_]\w*\([^\n]*\bfor\b")
"""A comprehension of what a method makes, which may be layers."""

_FAR = 600
"""How far from its beginning a collection is searched for what is made in it."""


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    if "Linear(" in text and _ONE_OUTPUT.search(text):
        yield ONE_OUTPUT
    if "init__(" in text and "self." in text and (found := _CONSTRUCTOR.search(text)):
        begun = BEGUN.search(text, found.end())
        if _LAYER.search(text, found.end(), begun.start() if begun else len(text)):
            yield EARLY
        if _hides(text):
            yield HIDING
        if "torch." in text and _has_plain_tensor(text):
            yield PLAIN_TENSOR
    elif "self." in text and "def " in text:
        if _APPENDED.search(text):
            yield KEEPING
        if _BUILDING.search(text) and "if " in text and _GIVEN.search(text):
            yield LATE
        if "torch." in text and _SETTING_UP.search(text) and _has_plain_tensor(text):
            yield PLAIN_TENSOR
        if _WORKING.search(text) and _carries(text):
            yield CARRYING


def _carries(text: str) -> bool:
    """Whether a method gives an attribute something and reads it as well."""
    read: set[str] | None = None
    for found in _TAKEN.finditer(text):
        if _COUNTED.match(text, found.end()):
            continue
        if found[0].endswith(("+=", "-=", "*=", "/=")):
            return True
        read = set(_READ.findall(text)) if read is None else read
        if found[1] in read:
            return True
    return False


def _has_plain_tensor(text: str) -> bool:
    """Whether a constructor keeps a tensor that it makes, or computes from one that it makes."""
    if not _TENSOR.search(text):
        return False
    made: set[str] = set()
    for found in _ASSIGNED.finditer(text):
        attribute, name, value = found.groups()
        is_tensor = bool(_TENSOR.search(value)) or not made.isdisjoint(_NAME.findall(value))
        if not is_tensor or _NO_PLAIN_TENSOR.search(value):
            continue
        if attribute:
            return True
        made.add(name)
    return False


def _hides(text: str) -> bool:
    """Whether a method keeps a collection that it makes layers in, or fills."""
    filled: set[str] | None = None
    lists: dict[str, re.Match[str]] | None = None
    collections = list(_KEPT.finditer(text))
    if not collections or not _MADE.search(text):
        return False
    for found in collections:
        kept, name = found.groups()
        if name is not None:
            if lists is None:
                lists = {one[1]: one for one in reversed(list(_LISTED.finditer(text)))}
            listed = lists.get(name)
            if listed and (_makes(text, listed.end() - 1) or f"{name}.append(" in text):
                return True
        elif _makes(text, found.end() - 1):
            return True
        else:
            filled = set(_FILLED.findall(text)) if filled is None else filled
            if kept in filled:
                return True
    return False


def _makes(text: str, start: int) -> bool:
    """Whether something is made within the bracket that opens at a place, and makes a collection.

    Parentheses make none where they hold one thing.
    """
    depth, is_single = 0, text[start] == "(" and not text[start - 1].isalnum()
    for at in range(start, min(len(text), start + _FAR)):
        depth += (text[at] in "[({") - (text[at] in "])}")
        if text[at] == "," and depth == 1:
            is_single = False
        if not depth:
            made = _MADE.search(text, start, at) or _MAPPED.match(text, start, at)
            return not is_single and made is not None
    return _MADE.search(text, start, start + _FAR) is not None
